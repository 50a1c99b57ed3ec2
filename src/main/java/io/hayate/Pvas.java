// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.LogReader;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.PvasBinding;
import io.hayate.internal.PvasReach;
import io.hayate.internal.job.Memory;
import io.hayate.internal.pvas.PvasSpace;
import io.hayate.internal.pvas.PvasStart;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A partitioned virtual address space: programs that run as <em>tasks</em> in the address space of
 * this process. A task keeps what a process has - a process id, descriptors, signal handlers, its
 * own globals and its own C library - but its memory can be read and written by all the others
 * with plain loads and stores. Programs are unmodified, if they are position-independent.
 *
 * <pre>{@code
 * try (Pvas space = Pvas.create()) {
 *     PvasTask task = space.spawn(PvasProgram.of("/usr/bin/solver", "100"));
 *     PvasMemory result = task.memory("result");        // waits until the task exports it
 *     DoubleBuffer x = result.buffer().asDoubleBuffer();
 *     ...
 *     System.out.println(task.await());                 // exited with 0
 * }
 * }</pre>
 *
 * <p>There is no protection between the tasks of one space, nor between them and this process:
 * tasks are parts of one program, not strangers, and one that writes through a wild pointer can
 * damage everybody. A task that crashes, or is killed, however ends alone. Tasks never outlive this
 * process.
 *
 * <p>Any thread may use it, and close it at any time. x86-64 Linux only. A JVM can be a task as
 * well, with any collector but the ZGC of JDK 17.
 *
 * <p>After Shimada, Gerofi, Hori and Ishikawa, "Proposing a new task model towards many-core
 * architecture" (2013).
 */
public final class Pvas implements AutoCloseable {
    /** Several such spaces have room beside each other. */
    private static final int TASKS = 128;

    private final PvasSpace space;

    private Pvas(PvasSpace space) {
        this.space = space;
        PvasReach.onUnreachable(this, space::abandon);
    }

    /**
     * An address space with room for 128 tasks of 64 GiB each. Room is only reserved: it costs no
     * memory.
     *
     * @return the space, to be closed
     * @throws ArgumentException if {@code HAYATE_LOG_TO} is wrong
     * @throws UnsupportedException if this machine, or the sandbox this process is in, cannot have
     *     one; says why
     * @throws MemoryExhaustedException if no such range of addresses is free, as other spaces have
     *     it, or there are 64 spaces
     * @throws SystemFailureException if the system refuses the helper that watches over the tasks
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static Pvas create() {
        return create(TASKS, 0);
    }

    /**
     * An address space.
     *
     * @param tasks how many it has room for, at most 4096; 0: as many as fit, which leaves no room
     *     for others
     * @param partitionBytes room of each task, a power of two from 1 GiB to 4 TiB; 0: 64 GiB. A JVM
     *     with ZGC wants 256 GiB
     * @return the space, to be closed
     * @throws ArgumentException if that is no such number, or {@code HAYATE_LOG_TO} is wrong
     * @throws UnsupportedException if this machine, or the sandbox this process is in, cannot have
     *     one; says why
     * @throws MemoryExhaustedException if no such range of addresses is free, as other spaces have
     *     it, or there are 64 spaces
     * @throws SystemFailureException if the system refuses the helper that watches over the tasks
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static Pvas create(int tasks, long partitionBytes) {
        if (tasks < 0 || partitionBytes < 0) {
            throw Errors.argument(tasks + " tasks of " + partitionBytes + " bytes: expected 0 or"
                    + " more");
        }
        NativeLoader.load();
        LogReader.start();
        PvasSpace space = PvasSpace.create(tasks, partitionBytes);
        try {
            return new Pvas(space);
        } catch (RuntimeException | Error e) {
            space.abandon();
            throw e;
        }
    }

    /**
     * Whether this process is a task of some space.
     *
     * @return if so, {@link #self()} gives its view of it
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static boolean isTask() {
        NativeLoader.load();
        return PvasBinding.pvasSelf() >= 0;
    }

    /**
     * This process as a task, and its way to the memory of the others.
     *
     * @return always the same object
     * @throws StateException if this process is no task
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static PvasSelf self() {
        NativeLoader.load();
        return PvasSelf.of(Errors.check(PvasBinding.pvasSelf()));
    }

    /**
     * Starts a program as a task. The time that takes does not depend on the size of this process.
     * Where a standard stream is a FIFO it waits until somebody opens the other end, and holds up
     * no other call, nor {@link #close()}.
     *
     * @param program what to run
     * @return the task, which runs; to be closed
     * @throws ArgumentException if program is null or has a character 0 in a text
     * @throws UnsupportedException if it is no position-independent program of this machine, or
     *     setuid; says which
     * @throws SystemFailureException if the system refuses something: no such file, no permission,
     *     too many processes or descriptors
     * @throws MemoryExhaustedException if no partition is free, or the program does not fit into
     *     one. Partitions of tasks that have ended are in use until they are closed and nobody has
     *     a buffer of theirs
     * @throws ClosedException after close
     */
    public PvasTask spawn(PvasProgram program) {
        PvasStart start = Errors.required(program, "program").prepare();
        PvasTask[] task = new PvasTask[1];
        reachably(() -> task[0] = space.spawn(start, PvasTask::new));
        return task[0];
    }

    /**
     * Publishes memory of this process for tasks to read and write, as
     * {@link PvasSelf#memoryOfCreator} finds it, or {@code pvas_import(..., PVAS_CREATOR, ...)} in
     * C. It stays reachable, and a {@link HeapSpan} open, until {@link #withdraw} or close, and
     * reachable until no task lives that may have found it.
     *
     * @param name 1 to 63 bytes; one that is in use already gets the new memory
     * @param memory a {@link HeapSpan}, or a span of a direct buffer or of a native segment, whose
     *     arena must stay open as long
     * @throws ArgumentException if something is null, the name is too long, or the memory is that
     *     of an array or read-only
     * @throws MemoryExhaustedException if 128 names are in use
     * @throws ClosedException after close, or if the memory is closed
     */
    public void export(String name, Span memory) {
        Memory range = Errors.required(memory, "memory").memory;
        reachably(() -> space.whileOpen(() -> space.exports().put(name, range)));
    }

    /**
     * Publishes a direct buffer from its position to its limit; see {@link #export(String, Span)}.
     *
     * @param name 1 to 63 bytes
     * @param memory a direct buffer that is not read-only
     * @throws ArgumentException if something is null, the name is too long, or the buffer is not
     *     direct or read-only
     * @throws MemoryExhaustedException if 128 names are in use
     * @throws ClosedException after close
     */
    public void export(String name, ByteBuffer memory) {
        export(name, Span.of(memory));
    }

    /**
     * Takes an export back: nobody finds it any more, but tasks that have found it keep it. Of a
     * name that is not in use nothing happens.
     *
     * @param name what it was exported as
     * @throws ArgumentException if the name is null
     * @throws ClosedException after close
     */
    public void withdraw(String name) {
        reachably(() -> space.whileOpen(() -> space.exports().remove(name)));
    }

    /**
     * Ends the space: kills the tasks that still run, waits for their ends, and closes all of them
     * as {@link PvasTask#close()} does. Idempotent. The range of addresses is free for another
     * space as soon as no buffer of a task can be reached.
     *
     * <p>A space that is dropped without close lives on as long as one of its tasks does.
     *
     * @throws BusyException if a call of another thread uses a memory segment of a task at this
     *     moment: close again when that is over
     */
    @Override
    public void close() {
        reachably(space::close);
    }

    /** Nobody takes the space for abandoned while it is used. */
    private void reachably(Runnable use) {
        try {
            use.run();
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
