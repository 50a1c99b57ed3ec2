// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.BusyException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.StateException;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.fmpl.Inside;
import io.hayate.internal.job.Waker;
import io.hayate.internal.tagged.Tags;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * What the process has between MPI.Init and MPI.Finalize: its job, and messages with tags. There is
 * at most one in the life of a process.
 */
final class Engine {
    private static final byte[] ZEROS = new byte[4096];
    private static final int LEFT = 4; // one part in so many of the heap
    private static final Cleaner CLEANER = Cleaner.create();
    private static volatile Engine current;
    private static volatile boolean ended;

    final Hayate job;
    final Fmpl fmpl;
    final Tags tags;
    final SetupMessages setup;
    /** The shared pointers of files. */
    final SharedWords words;
    final int threadLevel;
    final Thread mainThread = Thread.currentThread();
    final BufferedSends buffered = new BufferedSends();
    final UnderWay underWay = new UnderWay();
    /** Those that the program has not freed, so that others can access them. */
    final Set<WinState> windows = ConcurrentHashMap.newKeySet();
    /** Requests that the program has freed before their end. */
    private final List<Request> orphans = new ArrayList<>();

    private Engine(Hayate job, Fmpl fmpl, Tags tags, int threadLevel) {
        this.job = job;
        this.fmpl = fmpl;
        this.tags = tags;
        setup = new SetupMessages(tags, openOn(fmpl.world()));
        words = SharedWords.open(job);
        this.threadLevel = threadLevel;
        tags.anchor().kept().add(underWay);
    }

    /** Joins the job; collective over its ranks. */
    static synchronized Engine start(int threadLevel) {
        if (current != null || ended) {
            throw new MPIException(ErrorClass.OTHER, ended
                    ? "MPI was finalized: a process can be a rank only once, so MPI.Init cannot be"
                        + " called again"
                    : "MPI is initialized already: call MPI.Init once in a process; ranks cannot"
                        + " be threads of one JVM, so start processes or tasks by hayate run");
        }
        try {
            Hayate job = Hayate.init();
            Fmpl fmpl = Fmpl.init(job, 1);
            current = new Engine(job, fmpl, Tags.open(Inside.ofFmpl(fmpl)), threadLevel);
        } catch (StateException e) {
            throw new MPIException(ErrorClass.OTHER, e.reason() + " (MPI.Init joins the job itself:"
                    + " use Hayate.current() after it, and no Hayate.init())", e);
        } catch (HayateException e) {
            throw Failures.of(e);
        }
        Buffers.allocator = Engine::allocate;
        return current;
    }

    /** Returns it, which must exist. */
    static Engine get() {
        Engine engine = current;
        if (engine == null) {
            throw new MPIException(ErrorClass.OTHER, ended
                    ? "MPI was finalized: no call is possible after MPI.Finalize"
                    : "MPI is not initialized: call MPI.Init first");
        }
        return engine;
    }

    static boolean isStarted() {
        return current != null || ended;
    }

    static boolean isEnded() {
        return ended;
    }

    /** Leaves the job; collective over its ranks, which have completed their communication. */
    static synchronized void end() {
        Engine engine = get();
        try {
            engine.buffered.await(engine);
            engine.fmpl.world().barrier();
            engine.windows.forEach(WinState::release);
        } catch (HayateException e) {
            throw Failures.of(e);
        } finally {
            current = null;
            ended = true;
            Buffers.allocator = ByteBuffer::allocateDirect;
            engine.tags.close();
            engine.words.close();
            engine.fmpl.close();
            engine.job.close();
        }
    }

    /** Lets a request go on that the program has freed, and forgets those that are over. */
    void adopt(Request request) {
        synchronized (orphans) {
            orphans.add(request);
            orphans.removeIf(Engine::isOver);
        }
    }

    private static boolean isOver(Request orphan) {
        try {
            return orphan.finish(false) != null;
        } catch (MPIException failed) {
            return true; // nobody asks for its result
        }
    }

    /** Exchanges what programs that only call a barrier expect in windows outside of the heap. */
    void mergeWindows() {
        for (WinState window : windows) {
            if (window.hasCopies()) {
                window.merge();
            }
        }
    }

    /**
     * Waits in a virtual thread, which releases its carrier, until a look says that it is over.
     * The look must not block.
     */
    void park(BooleanSupplier look) {
        Inside.ofFmpl(fmpl).context().job().waker().await(() -> look.getAsBoolean() ? 0 : 1,
                Waker.SILENT);
    }

    /** Opens messages between the members of a communicator; collective over these. */
    long openOn(Communicator local) {
        return tags.openOn(Inside.ofCommunicator(local));
    }

    /** The same for messages to and from some members only: those of the other group. */
    long openPart(Communicator union, int first, int count) {
        return tags.openPart(Inside.ofCommunicator(union), first, count);
    }

    /** Returns the node of a rank of the job. */
    int nodeOf(int world) {
        return Inside.ofFmpl(fmpl).communicators().nodeOf(world);
    }

    /**
     * Memory that all ranks of the node reach, so that messages are copied once; else any. It is
     * returned when the program can reach no view of it any more. A part of the heap is left for
     * what messages need.
     */
    private static ByteBuffer allocate(int bytes) {
        Engine engine = current;
        if (engine == null || bytes == 0
                || engine.job.heapFree() - bytes < engine.job.heapSize() / LEFT) {
            return ByteBuffer.allocateDirect(bytes);
        }
        try {
            HeapSpan span = engine.job.allocate(bytes);
            // Views hold the buffer that they were made from first, so that must be this one.
            ByteBuffer memory = MemoryBinding.buffer(MemoryBinding.address(span.buffer()), bytes);
            CLEANER.register(memory, () -> release(span));
            return cleared(memory);
        } catch (MemoryExhaustedException full) {
            return ByteBuffer.allocateDirect(bytes);
        }
    }

    private static void release(HeapSpan span) {
        try {
            span.close();
        } catch (BusyException used) {
            // it stays allocated: an object of Hayate's own uses the memory
        }
    }

    /** Fills a buffer with zeros, and returns it. */
    static ByteBuffer cleared(ByteBuffer memory) {
        while (memory.hasRemaining()) {
            memory.put(ZEROS, 0, Math.min(ZEROS.length, memory.remaining()));
        }
        return memory.clear();
    }
}
