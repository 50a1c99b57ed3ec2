// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.JobAnchor;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.SetupDoor;
import io.hayate.internal.job.Team;
import io.hayate.internal.job.Waker;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The job of this process: its rank, and its part of the symmetric heap. A <em>job</em> is a set of
 * ranks started together by {@code hayate run -n N} or the launcher of a cluster; a program started
 * alone is a job of one rank.
 *
 * <p>A process has one job of {@link #init()} at a time, and beside it as many as it likes of those
 * whose ranks are its own threads, {@link #initThreads}. Any thread may use any of them.
 */
public final class Hayate implements AutoCloseable {
    /** Until it is closed; a job that is dropped without that stays joined. */
    private static Hayate current;

    private final JobAnchor anchor;
    private final long job;
    private final int rank;
    private final int size;
    /** Taking one out wants no memory: closing succeeds without any. */
    private final Set<Fmpl> fmpls = ConcurrentHashMap.newKeySet();
    private volatile Waker waker;
    private volatile boolean closed;

    private Hayate(JobAnchor anchor) {
        this.anchor = anchor;
        job = anchor.job();
        rank = SetupDoor.jobRank(job);
        size = SetupDoor.jobSize(job);
    }

    /**
     * Joins the job that the launcher's environment describes, or makes a job of one rank.
     * Collective: returns when every rank has joined.
     *
     * @return the job, to be closed
     * @throws NativeLoadException if the native library could not be loaded; says why
     * @throws StateException if this process has a job open, or has already left the launcher's
     * @throws LaunchException if the launcher's environment is wrong
     * @throws PeerFailedException if a rank ended before it joined
     * @throws ArgumentException if a {@code HAYATE_*} variable of the environment is wrong
     * @throws MemoryExhaustedException if there is no memory for the heap
     * @throws SystemFailureException if the system refuses something
     */
    public static Hayate init() {
        NativeLoader.load();
        JobAnchor[] anchor = {new JobAnchor()};
        anchor[0].take(Errors.check(SetupDoor.jobOpen()));
        Hayate job = of(anchor).get(0);
        setCurrent(job);
        return job;
    }

    /**
     * Makes a job whose ranks are threads of this program: for tests, and for solvers that live in
     * one process. Each rank is used like a job of {@link #init()}, typically by a thread of its
     * own; ranks reach each other's memory, of the heap or not, by plain loads and stores. The heap
     * of each has the size that {@code HAYATE_HEAP} says.
     *
     * <p>A program may have several such jobs, also beside one of {@code init()}, but not as a
     * rank of {@code hayate run}. A rank whose thread ends without {@link #close()} has not left
     * the job: its partners wait for it until it is closed or collected.
     *
     * @param ranks 1 to 4096
     * @return the ranks, number 0 first, each to be closed
     * @throws NativeLoadException if the native library could not be loaded; says why
     * @throws ArgumentException if ranks is not 1 to 4096, or a {@code HAYATE_*} variable of the
     *     environment is wrong
     * @throws LaunchException if this process is a rank that a launcher has started
     * @throws MemoryExhaustedException if there is no memory for the heaps
     * @throws SystemFailureException if the system refuses something: also one of the threads, one
     *     a rank, which only live during this call. Nothing is left then; the cause is what the
     *     thread's start threw
     */
    public static List<Hayate> initThreads(int ranks) {
        NativeLoader.load();
        return of(Team.open(ranks));
    }

    /** Of all, or none is left; nothing is allocated to drop them. */
    private static List<Hayate> of(JobAnchor[] anchors) {
        try {
            return Stream.of(anchors).map(Hayate::new).toList();
        } catch (RuntimeException | Error e) {
            for (JobAnchor anchor : anchors) {
                anchor.drop();
            }
            throw e;
        }
    }

    private static synchronized void setCurrent(Hayate job) {
        current = job;
    }

    private static synchronized void forget(Hayate job) {
        if (current == job) {
            current = null;
        }
    }

    /**
     * Version of the native library.
     *
     * @return {@code MAJOR.MINOR.PATCH}
     * @throws NativeLoadException if it could not be loaded
     */
    public static String version() {
        NativeLoader.load();
        return SetupDoor.version();
    }

    /**
     * The number of this rank.
     *
     * @return 0 to size - 1; also after close
     */
    public int rank() {
        return rank;
    }

    /**
     * The number of ranks.
     *
     * @return at least 1; also after close
     */
    public int size() {
        return size;
    }

    /**
     * Memory of this rank's part of the symmetric heap, aligned to 64 bytes (to 4096 from 32 KiB
     * on). It is not cleared. Only the pages that are touched count. Where there is no room, idle
     * eager buffers of messages are given back first.
     *
     * @param bytes at least 1
     * @return the memory, to be closed
     * @throws ArgumentException if bytes is not positive
     * @throws MemoryExhaustedException if the heap has no such room; says how much it has
     * @throws ClosedException after close
     */
    public HeapSpan allocate(long bytes) {
        requireOpen();
        long address = Errors.check(SetupDoor.jobAlloc(job, bytes));
        try {
            return new HeapSpan(this, address, bytes);
        } catch (RuntimeException | Error e) {
            release(address);
            throw e;
        }
    }

    /**
     * Room of this rank's heap that is not allocated, in one piece or several.
     *
     * @return bytes
     * @throws ClosedException after close
     */
    public long heapFree() {
        requireOpen();
        long free = SetupDoor.jobHeapFree(job);
        Reference.reachabilityFence(this);
        return free;
    }

    /**
     * Size of this rank's heap, {@code --heap} of {@code hayate run}.
     *
     * @return bytes
     */
    public long heapSize() {
        long size = SetupDoor.jobHeapSize(job);
        Reference.reachabilityFence(this);
        return size;
    }

    /**
     * Leaves the job; idempotent, not collective. Operations that other threads have under way end
     * with {@link ClosedException}. Buffers of the heap stay readable as long as they are held.
     */
    @Override
    public void close() {
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
        }
        if (!first) {
            return;
        }
        SetupDoor.jobClose(job);
        Waker running = waker;
        if (running != null) {
            running.stop();
        }
        fmpls.clear();
        forget(this);
    }

    JobAnchor anchor() {
        return anchor;
    }

    void requireOpen() {
        if (closed) {
            throw Errors.closed("the job");
        }
    }

    /** The waker of virtual threads, started at its first use. */
    Waker waker() {
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
    void add(Fmpl fmpl) {
        fmpls.add(fmpl);
        if (closed) {
            fmpls.remove(fmpl);
        }
    }

    void remove(Fmpl fmpl) {
        fmpls.remove(fmpl);
    }

    /** Does an operation that is known of work on this memory? */
    boolean uses(long start, long bytes) {
        for (Fmpl fmpl : fmpls) {
            if (fmpl.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Gives an allocation back; its bookkeeping outlives the job. */
    void release(long address) {
        Errors.check(SetupDoor.jobRelease(job, address));
        Reference.reachabilityFence(this);
    }
}
