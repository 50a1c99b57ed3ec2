// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.LogReader;
import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import io.hayate.internal.lifetime.PvasReach;
import io.hayate.internal.natives.NativeLoader;
import io.hayate.internal.pvas.PvasSpace;
import io.hayate.internal.pvas.PvasStart;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A partitioned virtual address space: programs that run as <em>tasks</em> in the address space of
 * this process. A task has what a process has: a process id, file descriptors, signal handlers,
 * separate global variables and a separate C library. But all other tasks can read and write its
 * memory with plain loads and stores. Position-independent programs run unmodified.
 *
 * <!-- java: abstract void use(DoubleBuffer x); -->
 * <pre>{@code
 * try (Pvas space = Pvas.create()) {
 *     PvasTask task = space.spawn(PvasProgram.of("/usr/bin/solver", "100"));
 *     PvasMemory result = task.memory("result");        // waits until the task exports it
 *     DoubleBuffer x = result.buffer().asDoubleBuffer();
 *     use(x);
 *     System.out.println(task.await());                 // exited with 0
 * }
 * }</pre>
 *
 * <p>There is no protection between the tasks of one space, nor between them and this process.
 * Tasks are parts of one program that trust each other: a task that writes through a wild pointer
 * can damage all others. A task that crashes or is killed, however, ends alone. Tasks never outlive
 * this process.
 *
 * <p>Any thread may use the space, and close it at any time. Only Linux on x86-64 is supported. A
 * JVM can be a task as well, with any garbage collector except the ZGC of JDK 17.
 *
 * <p>The design follows Shimada, Gerofi, Hori and Ishikawa, "Proposing a new task model towards
 * many-core architecture" (2013).
 */
public final class Pvas implements AutoCloseable {
    /** Leaves room for several such spaces. */
    private static final int TASKS = 128;

    private final PvasSpace space;

    private Pvas(PvasSpace space) {
        this.space = space;
        PvasReach.onUnreachable(this, space::abandon);
    }

    /**
     * Creates an address space with room for 128 tasks of 64 GiB each. The call only reserves
     * addresses, which takes no memory.
     *
     * @return the space; the caller closes it
     * @throws ArgumentException if {@code HAYATE_LOG_TO} is invalid
     * @throws UnsupportedException if this machine, or the sandbox of this process, does not
     *     support it; the text says why
     * @throws MemoryExhaustedException if no range of addresses of this size is free because other
     *     spaces use it, or if there are 64 spaces
     * @throws SystemFailureException if the system cannot start the guard process, which watches
     *     over the tasks
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static Pvas create() {
        return create(TASKS, 0);
    }

    /**
     * Creates an address space of a given size.
     *
     * @param tasks the number of tasks that it has room for, at most 4096; 0: as many as fit, which
     *     leaves no room for other spaces
     * @param partitionBytes the size of each task's partition, a power of two from 1 GiB to 4 TiB;
     *     0: 64 GiB. A JVM with ZGC needs 256 GiB
     * @return the space; the caller closes it
     * @throws ArgumentException if an argument is out of range, or {@code HAYATE_LOG_TO} is invalid
     * @throws UnsupportedException if this machine, or the sandbox of this process, does not
     *     support it; the text says why
     * @throws MemoryExhaustedException if no range of addresses of this size is free because other
     *     spaces use it, or if there are 64 spaces
     * @throws SystemFailureException if the system cannot start the guard process, which watches
     *     over the tasks
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
     * Returns whether this process is a task.
     *
     * @return whether {@link #self()} can be called
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static boolean isTask() {
        NativeLoader.load();
        return PvasBinding.pvasSelf() >= 0;
    }

    /**
     * Returns this process as a task, which can access the memory of the other tasks.
     *
     * @return always the same object
     * @throws StateException if this process is not a task
     * @throws NativeLoadException if the native library could not be loaded
     */
    public static PvasSelf self() {
        NativeLoader.load();
        return PvasSelf.of(Errors.check(PvasBinding.pvasSelf()));
    }

    /**
     * Starts a program as a task. The time of the call does not depend on the size of this process.
     * If a standard stream is a FIFO, the call waits until another process opens the other end; it
     * delays no other call, nor {@link #close()}.
     *
     * @param program the program
     * @return the running task; the caller closes it
     * @throws ArgumentException if program is null, or a text of it contains the character 0
     * @throws UnsupportedException if it is not a position-independent program for this machine, or
     *     is setuid; the text says which
     * @throws SystemFailureException if a system call fails: no such file, no permission, too many
     *     processes or descriptors
     * @throws MemoryExhaustedException if no partition is free, or the program does not fit into
     *     one. The partition of a task that has ended stays in use until the task is closed and no
     *     buffer of its memory is reachable
     * @throws ClosedException after close
     */
    public PvasTask spawn(PvasProgram program) {
        PvasStart start = Errors.required(program, "program").prepare();
        PvasTask[] task = new PvasTask[1];
        reachably(() -> task[0] = space.spawn(start, PvasTask::new));
        return task[0];
    }

    /**
     * Publishes memory of this process under a name. Tasks find it with
     * {@link PvasSelf#memoryOfCreator}, or {@code pvas_import(..., PVAS_CREATOR, ...)} in C, and
     * can read and write it. Until {@link #withdraw} or close a {@link HeapSpan} stays open. The
     * memory stays reachable until no task runs that may have found it.
     *
     * @param name 1 to 63 bytes; if the name is in use already, it refers to the new memory
     * @param memory a {@link HeapSpan}, or a span of a direct buffer or of a native segment, whose
     *     arena must stay open as long
     * @throws ArgumentException if an argument is null, the name is too long, or the memory is
     *     read-only or in an array
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
     * @throws ArgumentException if an argument is null, the name is too long, or the buffer is
     *     read-only or not direct
     * @throws MemoryExhaustedException if 128 names are in use
     * @throws ClosedException after close
     */
    public void export(String name, ByteBuffer memory) {
        export(name, Span.of(memory));
    }

    /**
     * Withdraws an export. Tasks can no longer find it, but tasks that have found it keep it. If
     * the name is not in use, nothing happens.
     *
     * @param name the name of the export
     * @throws ArgumentException if the name is null
     * @throws ClosedException after close
     */
    public void withdraw(String name) {
        reachably(() -> space.whileOpen(() -> space.exports().remove(name)));
    }

    /**
     * Closes the space; idempotent. It kills the tasks that still run, waits for their ends, and
     * closes all tasks as {@link PvasTask#close()} does. The range of addresses is free for another
     * space as soon as no buffer of a task is reachable.
     *
     * <p>A space that is no longer reachable and was not closed stays open as long as one of its
     * tasks runs.
     *
     * @throws BusyException if a call of another thread uses a memory segment of a task at this
     *     moment: close again after that call
     */
    @Override
    public void close() {
        reachably(space::close);
    }

    /** Keeps the space reachable while it is used. */
    private void reachably(Runnable use) {
        try {
            use.run();
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
