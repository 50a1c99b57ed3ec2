// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.Exchange;
import io.hayate.HayateException;
import io.hayate.Wait;
import io.hayate.internal.bindings.CountersBinding;
import io.hayate.internal.bindings.LogReader;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.bindings.WaitsBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.lifetime.JobAnchor;
import io.hayate.internal.lifetime.Reclaim;
import io.hayate.internal.natives.NativeLoader;
import io.hayate.internal.store.StoreEnvironment;
import io.hayate.internal.store.StoreExchange;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The job of a rank, separate from the {@code Hayate} object of the program.
 *
 * <p>Methods that open something take a maker of the object for the program: if there is no memory
 * for that object, nothing stays open.
 */
public final class Job {
    /**
     * What the program has of the job of init(), until that is closed; a job that is dropped
     * without close stays joined.
     */
    private static Object current;
    private static Job currentJob; // behind it; null: none
    private static Function<Object, Job> revealed;

    private final JobAnchor anchor;
    private final long handle;
    private final int rank;
    private final int size;
    /** Removal needs no memory, so that a close succeeds without any. */
    private final Set<MemoryUser> users = ConcurrentHashMap.newKeySet();
    /** The memory of failed operations, which other ranks may still access. */
    private final Set<Memory> abandoned = ConcurrentHashMap.newKeySet();
    private final AtomicLong allocated = new AtomicLong(); // bytes in total: may have been touched
    private volatile Waker waker;
    private volatile boolean closed;

    /** Records that the rank has joined; null: nobody wants to know. */
    private Job(JobAnchor anchor, Recorder.Joining joining) {
        this.anchor = anchor;
        handle = anchor.job();
        rank = SetupBinding.jobRank(handle);
        size = SetupBinding.jobSize(handle);
        if (joining != null) {
            joining.joined(rank, size, SetupBinding.jobNodes(handle));
        }
    }

    /** Joins the job of the store or launcher of the environment, or creates a job of one rank. */
    public static <T> T open(Function<Job, T> maker) {
        NativeLoader.load();
        LogReader.start();
        JobAnchor[] anchor = {new JobAnchor()};
        Recorder.Joining joining = Recorder.joining();
        Reclaim.ifMany();
        StoreEnvironment store = new StoreEnvironment(System.getenv());
        anchor[0].take(store.isSet() ? joined(store) : Errors.check(SetupBinding.jobOpen()));
        Job[] opened = new Job[1];
        T result = made(anchor, joining, job -> maker.apply(opened[0] = job)).get(0);
        setCurrent(opened[0], result);
        return result;
    }

    private static long joined(StoreEnvironment store) {
        if (current() != null) {
            throw Errors.exception(Errors.STATE, "this process already has a job open: close it"
                    + " before it joins the next one", -1);
        }
        int size = store.size();
        int rank = store.rank();
        return Joining.join(rank, size, new StoreExchange(store.access(), rank, size));
    }

    /** Joins a job of ranks that tell each other two records by an exchange of the program. */
    public static <T> T open(int rank, int size, Exchange exchange, Function<Job, T> maker) {
        NativeLoader.load();
        LogReader.start();
        JobAnchor[] anchor = {new JobAnchor()};
        Recorder.Joining joining = Recorder.joining();
        Reclaim.ifMany();
        anchor[0].take(Joining.join(rank, size, exchange));
        return made(anchor, joining, maker).get(0);
    }

    /**
     * Creates a job whose ranks are threads of this process; returns them in the order of their
     * numbers.
     */
    public static <T> List<T> openThreads(int ranks, Function<Job, T> maker) {
        NativeLoader.load();
        LogReader.start();
        Recorder.Joining joining = Recorder.joining();
        return made(Team.open(ranks), joining, maker);
    }

    /** Creates the objects of all ranks, or leaves none; to drop them allocates nothing. */
    private static <T> List<T> made(JobAnchor[] anchors, Recorder.Joining joining,
            Function<Job, T> maker) {
        try {
            return Stream.of(anchors).map(anchor -> new Job(anchor, joining)).map(maker).toList();
        } catch (RuntimeException | Error e) {
            for (JobAnchor anchor : anchors) {
                anchor.drop();
            }
            throw e;
        }
    }

    /** Tells how to see the job behind a facade, whose package alone can. */
    public static void reveal(Function<Object, Job> job) {
        revealed = job;
    }

    /** Returns the job behind a facade of another package. */
    public static Job behind(Object facade) {
        return revealed.apply(facade);
    }

    private static synchronized void setCurrent(Job job, Object facade) {
        currentJob = job;
        current = facade;
    }

    /** Returns what {@link #open} has returned, or null if there is no such job any more. */
    public static synchronized Object current() {
        return current;
    }

    private boolean isCurrent() {
        synchronized (Job.class) {
            return currentJob == this;
        }
    }

    private static synchronized void forget(Job job) {
        if (currentJob == job) {
            currentJob = null;
            current = null;
        }
    }

    public JobAnchor anchor() {
        return anchor;
    }

    /** Returns the handle of the native job. */
    public long handle() {
        return handle;
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + size + (closed ? ", closed" : "");
    }

    /** Allocates memory of the heap, and returns its address. */
    long allocate(long bytes) {
        requireOpen();
        long address = Errors.check(SetupBinding.jobAlloc(handle, bytes));
        allocated.addAndGet(bytes);
        Reference.reachabilityFence(this);
        return address;
    }

    /** Frees memory of the heap; the bookkeeping of allocations outlives the job. */
    void release(long address) {
        Errors.check(SetupBinding.jobRelease(handle, address));
        Reference.reachabilityFence(this);
    }

    public long heapFree() {
        requireOpen();
        long free = SetupBinding.jobHeapFree(handle);
        Reference.reachabilityFence(this);
        return free;
    }

    public long heapSize() {
        long bytes = SetupBinding.jobHeapSize(handle);
        Reference.reachabilityFence(this);
        return bytes;
    }

    /** Returns the counters by their names. */
    public Map<String, Long> counters() {
        long[] counts = new long[CountersBinding.countersCount()];
        CountersBinding.countersOwn(handle, counts);
        Reference.reachabilityFence(this);
        Map<String, Long> counters = new LinkedHashMap<>();
        for (int i = 0; i < counts.length; i++) {
            String name = CountersBinding.countersName(i);
            if (name != null) {
                counters.put(name, counts[i]);
            }
        }
        return Collections.unmodifiableMap(counters);
    }

    /** Returns what threads of this rank wait for now, if their waits have lasted. */
    public List<Wait> waits() {
        long look = Errors.check(WaitsBinding.waitsOwn(handle, 0));
        try {
            return WaitsBinding.waits(look).stream().filter(wait -> wait.rank() == rank)
                    .map(Job::shown).toList();
        } finally {
            WaitsBinding.waitsFree(look);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Describes what all ranks of this node wait for, and which of them for each other, in lines;
     * takes up to some seconds.
     */
    public String describeWaits() {
        long look = Errors.check(WaitsBinding.waitsOwn(handle, 1));
        try {
            return Stream.concat(WaitsBinding.waits(look).stream().map(WaitsBinding.View::text),
                    WaitsBinding.cycles(look).stream().map(WaitsBinding.Cycle::text))
                    .collect(Collectors.joining("\n"));
        } finally {
            WaitsBinding.waitsFree(look);
            Reference.reachabilityFence(this);
        }
    }

    private static Wait shown(WaitsBinding.View wait) {
        return new Wait(wait.collective() == null ? wait.kind() : wait.collective(), wait.peer(),
                Duration.ofNanos(wait.nanos()), wait.text());
    }

    public void requireOpen() {
        if (closed) {
            throw Errors.closed("the job");
        }
    }

    /**
     * Ends the job because of an error: the whole process, unless that is only the host of this
     * rank, which then leaves the job as one that has failed. The process of a rank of init()
     * belongs to the job, also when its ranks have met at a store.
     */
    public HayateException abort(int code, String why) {
        requireOpen();
        SetupBinding.jobAbort(handle, code, why);
        if (SetupBinding.jobIsGuest(handle) == 0 || isCurrent()) {
            Runtime.getRuntime().halt(code);
        }
        close();
        return Errors.exception(Errors.CLOSED, "rank " + rank + " has aborted the job with code "
                + code + ": " + why, -1);
    }

    /** Leaves the job; idempotent. */
    public void close() {
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
        }
        if (!first) {
            return;
        }
        SetupBinding.jobClose(handle);
        Waker running = waker;
        if (running != null) {
            running.stop();
        }
        users.clear();
        anchor.closed(Math.min(allocated.get(), heapSize()));
        forget(this);
    }

    /** Returns the waker of virtual threads, which is started at its first use. */
    public Waker waker() {
        Waker running = waker;
        return running != null ? running : startWaker();
    }

    private synchronized Waker startWaker() {
        if (waker == null) {
            requireOpen();
            Waker started = new Waker(anchor);
            started.start();
            waker = started;
        }
        return waker;
    }

    /**
     * Adds a user of memory, but not after close, because buffers of the heap keep everything
     * reachable that this job refers to.
     */
    public void add(MemoryUser user) {
        users.add(user);
        if (closed) {
            users.remove(user);
        }
    }

    /**
     * Holds the memory of an operation that has failed while other ranks may still access it: it
     * cannot be freed until the job is closed, and stays reachable with it. They access no array.
     */
    public void abandon(Memory memory) {
        if (memory.array == null && abandoned.add(memory)) {
            memory.pin();
        }
    }

    public void remove(MemoryUser user) {
        users.remove(user);
    }

    /** Returns whether a known operation uses this memory. */
    boolean uses(long start, long bytes) {
        for (MemoryUser user : users) {
            if (user.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
