// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.SetupBinding;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
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
    final Job job;

    private Hayate(Job job) {
        this.job = job;
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
        return Job.open(Hayate::new);
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
        return Job.openThreads(ranks, Hayate::new);
    }

    /**
     * Version of the native library.
     *
     * @return {@code MAJOR.MINOR.PATCH}
     * @throws NativeLoadException if it could not be loaded
     */
    public static String version() {
        NativeLoader.load();
        return SetupBinding.version();
    }

    /**
     * The number of this rank.
     *
     * @return 0 to size - 1; also after close
     */
    public int rank() {
        return job.rank();
    }

    /**
     * The number of ranks.
     *
     * @return at least 1; also after close
     */
    public int size() {
        return job.size();
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
        return HeapBlock.allocate(job, bytes, HeapSpan::new);
    }

    /**
     * Room of this rank's heap that is not allocated, in one piece or several.
     *
     * @return bytes
     * @throws ClosedException after close
     */
    public long heapFree() {
        return job.heapFree();
    }

    /**
     * Size of this rank's heap, {@code --heap} of {@code hayate run}.
     *
     * @return bytes
     */
    public long heapSize() {
        return job.heapSize();
    }

    /**
     * Leaves the job; idempotent, not collective. Operations that other threads have under way end
     * with {@link ClosedException}. Buffers of the heap stay readable as long as they are held.
     */
    @Override
    public void close() {
        job.close();
    }

    /** The job of a rank that a program has passed, which must be open. */
    static Job requireOpen(Hayate rank) {
        Job job = Errors.required(rank, "job").job;
        job.requireOpen();
        return job;
    }
}
