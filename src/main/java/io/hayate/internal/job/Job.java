// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.Errors;
import io.hayate.internal.JobAnchor;
import io.hayate.internal.LogReader;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.SetupBinding;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A rank's view of its job, apart from the {@code Hayate} that the program has.
 *
 * <p>Whoever opens something passes the maker of the object that the program gets: where there is
 * no memory for that, nothing stays open.
 */
public final class Job {
    /** Until it is closed; a job that is dropped without that stays joined. */
    private static Job current;

    private final JobAnchor anchor;
    private final long handle;
    private final int rank;
    private final int size;
    /** Taking one out wants no memory: closing succeeds without any. */
    private final Set<MemoryUser> users = ConcurrentHashMap.newKeySet();
    private volatile Waker waker;
    private volatile boolean closed;

    private Job(JobAnchor anchor) {
        this.anchor = anchor;
        handle = anchor.job();
        rank = SetupBinding.jobRank(handle);
        size = SetupBinding.jobSize(handle);
    }

    /** Joins the job of the launcher's environment, or makes one of one rank. */
    public static <T> T open(Function<Job, T> maker) {
        NativeLoader.load();
        LogReader.start();
        JobAnchor[] anchor = {new JobAnchor()};
        Job[] opened = new Job[1];
        Function<Job, T> noting = job -> {
            opened[0] = job;
            return maker.apply(job);
        };
        anchor[0].take(Errors.check(SetupBinding.jobOpen()));
        T result = made(anchor, noting).get(0);
        setCurrent(opened[0]);
        return result;
    }

    /** Makes a job whose ranks are threads of this process; number 0 is first. */
    public static <T> List<T> openThreads(int ranks, Function<Job, T> maker) {
        NativeLoader.load();
        LogReader.start();
        return made(Team.open(ranks), maker);
    }

    /** Of all, or none is left; nothing is allocated to drop them. */
    private static <T> List<T> made(JobAnchor[] anchors, Function<Job, T> maker) {
        try {
            return Stream.of(anchors).map(Job::new).map(maker).toList();
        } catch (RuntimeException | Error e) {
            for (JobAnchor anchor : anchors) {
                anchor.drop();
            }
            throw e;
        }
    }

    private static synchronized void setCurrent(Job job) {
        current = job;
    }

    private static synchronized void forget(Job job) {
        if (current == job) {
            current = null;
        }
    }

    public JobAnchor anchor() {
        return anchor;
    }

    /** The native job. */
    public long handle() {
        return handle;
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    /** Address of memory of the heap. */
    long allocate(long bytes) {
        requireOpen();
        long address = Errors.check(SetupBinding.jobAlloc(handle, bytes));
        Reference.reachabilityFence(this);
        return address;
    }

    /** Gives it back; the bookkeeping of allocations outlives the job. */
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

    public void requireOpen() {
        if (closed) {
            throw Errors.closed("the job");
        }
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
        forget(this);
    }

    /** The waker of virtual threads, started at its first use. */
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

    /** Not after close, for what is in here stays reachable from buffers of the heap. */
    public void add(MemoryUser user) {
        users.add(user);
        if (closed) {
            users.remove(user);
        }
    }

    public void remove(MemoryUser user) {
        users.remove(user);
    }

    /** Whether an operation that is known of works on this memory. */
    boolean uses(long start, long bytes) {
        for (MemoryUser user : users) {
            if (user.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
