// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.RankFailure;
import io.hayate.internal.job.RankThreads;
import io.hayate.internal.natives.NativeLoader;
import java.util.List;
import java.util.Map;

/**
 * The membership of this process in a job: its rank, and its part of the symmetric heap. A
 * <em>job</em> is a set of ranks that {@code hayate run -n N} or the launcher of a cluster has
 * started together. A program started without a launcher is a job of one rank.
 *
 * <!-- java: -->
 * <pre>{@code
 * try (Hayate job = Hayate.init()) {                        // returns when all ranks have joined
 *     System.out.println("rank " + job.rank() + " of " + job.size());
 *     HeapSpan memory = job.allocate(1 << 20);              // all ranks of the node can reach it
 * }                                                         // leaves the job, also by an exception
 * }</pre>
 *
 * <p>A process has at most one job of {@link #init()} at a time. In addition it can have any number
 * of jobs of {@link #initThreads}, whose ranks are threads of the process, and of
 * {@link #init(Bootstrap)}. Any thread may use any
 * of them.
 */
public final class Hayate implements AutoCloseable {
    static {
        Job.reveal(rank -> ((Hayate) rank).job);
    }

    final Job job;

    /** What a rank does: the argument of {@link #runThreads}. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs on one rank, in a thread of its own.
         *
         * @param rank the rank, which is closed when this method ends
         * @throws Exception any failure of the program; the other ranks then learn that this rank
         *     has left
         */
        void run(Hayate rank) throws Exception;
    }

    private Hayate(Job job) {
        this.job = job;
    }

    /**
     * Joins the job that the environment of the launcher describes, or the one of the store that
     * {@code HAYATE_STORE} names (see {@link Bootstrap#store(String, int, int)}) with the rank
     * {@code HAYATE_RANK} of {@code HAYATE_SIZE}; without any, creates a job of one rank.
     * Collective over the job: it returns when every rank has joined.
     *
     * @return the job; the caller closes it
     * @throws NativeLoadException if the native library could not be loaded; the text says why
     * @throws StateException if this process has a job open, or has already left the job of its
     *     launcher
     * @throws LaunchException if the environment of the launcher is invalid, if it is set together
     *     with {@code HAYATE_STORE}, or if not all ranks have come to the store
     * @throws PeerFailedException if a rank ended before it joined
     * @throws ArgumentException if a {@code HAYATE_*} variable of the environment is invalid
     * @throws MemoryExhaustedException if there is no memory for the heap
     * @throws SystemFailureException if a system call fails
     */
    public static Hayate init() {
        return Job.open(Hayate::new);
    }

    /**
     * Joins a job that no launcher has started: its ranks find each other by the bootstrap, in any
     * engine or service that starts several processes or threads. Collective over the ranks that
     * the bootstraps describe: it returns when all have joined. A rank that cannot join tells the
     * others by the exchange, and all of them get an exception; if it cannot even do that, the
     * exchange has to end on the others.
     *
     * <p>A process can be in any number of such jobs, one after the other and at once, and can be
     * several ranks of one job, each initialised by a thread of its own: memory is then shared
     * directly. {@link #close()} leaves a job; what it had of memory and descriptors is given back
     * when the program holds neither the object nor buffers of the heap any more. A rank whose
     * thread ends without close stays a member, for whom the others wait, as long as its process
     * lives. Nothing is left of a process that is killed: the other ranks learn of its death.
     *
     * @param bootstrap this rank's number, the number of ranks, and how they tell each other of
     *     themselves; it is used once
     * @return the job; the caller closes it
     * @throws NativeLoadException if the native library could not be loaded; the text says why
     * @throws LaunchException if the exchange failed, which is then the cause; if the records that
     *     it returned are not those of the ranks of one job; or if another rank cannot join, which
     *     is then the peer
     * @throws PeerFailedException if a rank ended before it joined
     * @throws ArgumentException if the bootstrap is null, or a {@code HAYATE_*} variable of the
     *     environment is invalid
     * @throws MemoryExhaustedException if there is no memory for the heap
     * @throws SystemFailureException if a system call fails
     */
    public static Hayate init(Bootstrap bootstrap) {
        Errors.required(bootstrap, "bootstrap");
        return Job.open(bootstrap.rank, bootstrap.size, bootstrap.exchange, Hayate::new);
    }

    /**
     * Returns the job of {@link #init()} that this process is in, whoever has called that: for
     * parts of a program that do not get the job as an argument, and for programs of the package
     * {@code mpi}, whose {@code MPI.Init} calls it. Such a program may so use an {@link Fmpl}, an
     * {@link Ompl} or a {@link PersistentColl} beside MPI, whose messages never meet theirs.
     *
     * @return the object that init() returned; only the caller of that closes it, in a program of
     *     the package {@code mpi} {@code MPI.Finalize}
     * @throws StateException if this process has joined no job by init(), or has left it
     */
    public static Hayate current() {
        Object current = Job.current();
        if (current == null) {
            throw Errors.exception(Errors.STATE, "this process is in no job: call Hayate.init(),"
                    + " or MPI.Init of the package mpi, before", -1);
        }
        return (Hayate) current;
    }

    /**
     * Creates a job whose ranks are threads of this program, for tests and for solvers that run in
     * one process. A program uses each rank like a job of {@link #init()}, typically with one
     * thread per rank. Ranks access each other's memory, in the heap or not, by plain loads and
     * stores. {@code HAYATE_HEAP} sets the size of the heap of each rank.
     *
     * <p>A program may have several such jobs, also in addition to one of {@code init()}, but not
     * if it is a rank that {@code hayate run} or another launcher has started. A rank whose thread
     * ends without {@link #close()} has not left the job: its peers wait for it until it is closed
     * or garbage-collected.
     *
     * @param ranks 1 to 4096
     * @return the ranks in the order of their numbers; the caller closes each of them
     * @throws NativeLoadException if the native library could not be loaded; the text says why
     * @throws ArgumentException if ranks is not 1 to 4096, or a {@code HAYATE_*} variable of the
     *     environment is invalid
     * @throws LaunchException if a launcher has started this process as a rank
     * @throws MemoryExhaustedException if there is no memory for the heaps
     * @throws SystemFailureException if a system call fails, or one of the helper threads of this
     *     call (one per rank) cannot be started. Nothing is left behind then; the cause is the
     *     exception of the thread's start
     */
    public static List<Hayate> initThreads(int ranks) {
        return Job.openThreads(ranks, Hayate::new);
    }

    /**
     * Runs a body on each rank of a new job of {@link #initThreads}, each in a thread of its own,
     * and returns when all have ended. A rank is closed when its body ends, however it ends. So no
     * rank waits for one that has failed: its operations end with {@link PeerFailedException}. If
     * the calling thread is interrupted, all ranks are closed and their threads interrupted; the
     * call then returns with the interrupt set.
     *
     * @param ranks 1 to 4096
     * @param body called once for each rank, at the same time
     * @throws RankFailedException if the body threw an exception or an error on any rank
     * @throws NativeLoadException as {@link #initThreads}, like the following
     * @throws ArgumentException if the body is null, or ranks or the environment is invalid
     * @throws LaunchException if a launcher has started this process as a rank
     * @throws MemoryExhaustedException if there is no memory for the heaps
     * @throws SystemFailureException if a system call fails
     */
    public static void runThreads(int ranks, Body body) {
        Errors.required(body, "body");
        List<RankFailure> failures =
                RankThreads.run(initThreads(ranks), Hayate::rank, body::run);
        if (!failures.isEmpty()) {
            throw RankFailedException.of(failures, ranks);
        }
    }

    /**
     * Returns the version of the native library.
     *
     * @return {@code MAJOR.MINOR.PATCH}
     * @throws NativeLoadException if the library could not be loaded
     */
    public static String version() {
        NativeLoader.load();
        return SetupBinding.version();
    }

    /**
     * Returns the number of this rank.
     *
     * @return 0 to size - 1; valid also after close
     */
    public int rank() {
        return job.rank();
    }

    /**
     * Returns the number of ranks of the job.
     *
     * @return at least 1; valid also after close
     */
    public int size() {
        return job.size();
    }

    /**
     * Allocates memory from this rank's part of the symmetric heap, aligned to 64 bytes (to 4096
     * bytes from 32 KiB on). The memory is not cleared. Pages take physical memory only when they
     * are first touched. If there is no room, the call first frees idle eager buffers.
     *
     * @param bytes at least 1
     * @return the memory; the caller closes it
     * @throws ArgumentException if bytes is not positive
     * @throws MemoryExhaustedException if the heap does not have so much room in one piece; the
     *     text says how much it has
     * @throws ClosedException after close
     */
    public HeapSpan allocate(long bytes) {
        return HeapBlock.allocate(job, bytes, HeapSpan::new);
    }

    /**
     * Returns the room in this rank's heap that is not allocated, in one or several pieces.
     *
     * @return bytes
     * @throws ClosedException after close
     */
    public long heapFree() {
        return job.heapFree();
    }

    /**
     * Returns the size of this rank's heap, which {@code --heap} of {@code hayate run} sets.
     *
     * @return bytes
     */
    public long heapSize() {
        return job.heapSize();
    }

    /**
     * Ends the whole job because of an error: for a rank that cannot go on, and whose peers would
     * wait for it. The call does not return. It writes a line with the reason to stderr, tells the
     * launcher, and ends this process at once with the code: finally blocks and shutdown hooks do
     * not run, and files are not flushed.
     *
     * <p>{@code hayate run} ends the other ranks, and exits with the code. With PMIx and PMI-1, the
     * launcher of the cluster is asked to do the same. Until then, other ranks that wait for this
     * one get {@link PeerFailedException}. A rank that runs as a task ({@code hayate run --pvas})
     * ends as a task; the other tasks of its address space are ended by {@code hayate run}. The
     * ranks of {@link #initThreads} are threads of one process, which ends with all of them.
     *
     * <p>A rank of {@link #init(Bootstrap)} is a guest in a process of somebody else, which goes
     * on: only this rank ends, as if it had died. Its operations and those of the other ranks fail,
     * and the call throws {@link ClosedException} with the reason.
     *
     * @param code the exit code, 1 to 255
     * @param why the reason, for the people who read the output of the job
     * @throws ArgumentException if the code is out of range, or why is null
     * @throws ClosedException after close, and in a job of {@link #init(Bootstrap)}
     */
    public void abort(int code, String why) {
        Errors.required(why, "the reason");
        if (code < 1 || code > 255) {
            throw Errors.argument("exit code " + code + ": expected 1 to 255");
        }
        throw job.abort(code, why);
    }

    /**
     * Returns what this rank has done since it joined: the counters that {@code hayate stat}
     * shows, by the names that they have there ({@code sent}, {@code bytes_sent},
     * {@code collectives}, ...). All grow, except {@code eager_held} and {@code lanes_held}, which
     * are bytes in use now. Each counter is exact, but they are not read at one moment. A call
     * takes some microseconds, and does not delay other threads. Valid also after close.
     *
     * @return the counters in the order of {@code hayate stat --json}; unmodifiable, does not
     *     change
     */
    public Map<String, Long> counters() {
        return job.counters();
    }

    /**
     * Returns what threads of this rank wait for now in calls of Hayate: what
     * {@code hayate stat --waits} shows of this rank, for example for the health check of a
     * program. It contains only waits that last, which have slept for a while: usually those of at
     * least 50 milliseconds, of at most 32 threads. A wait may be over when the call returns. The
     * call looks once, so it does not tell whether ranks wait for each other for ever. It reads the
     * waits of all ranks of this node, which takes some microseconds for each, and does not delay
     * them.
     *
     * @return the waits in no particular order; empty if no thread waits, and after close
     * @throws MemoryExhaustedException if there is no memory to look
     * @throws CorruptionException if a peer wrote invalid data into shared memory
     */
    public List<Wait> waits() {
        return job.waits();
    }

    /**
     * Leaves the job; idempotent, not collective. Operations of other threads that are in progress
     * end with {@link ClosedException}. Buffers of the heap stay readable as long as the program
     * holds them.
     */
    @Override
    public void close() {
        job.close();
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the rank and the size of the job, and whether it is closed
     */
    @Override
    public String toString() {
        return "job: " + job;
    }

    /** Returns the job of an argument, which must be open. */
    static Job requireOpen(Hayate rank) {
        Job job = Errors.required(rank, "job").job;
        job.requireOpen();
        return job;
    }
}
