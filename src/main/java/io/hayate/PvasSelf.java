// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.pvas.PvasExports;
import io.hayate.internal.pvas.PvasImports;
import io.hayate.internal.pvas.PvasRetainer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * This process, seen as a task in the address space of another process; from {@link Pvas#self()}.
 * It publishes memory, and accesses memory of other tasks and of the process that created the
 * space.
 *
 * <p>The creator of the space keeps the memory of a task mapped until it closes the task, and then
 * frees it: after that, other tasks must not access it any more. {@link PvasMemory} cannot detect
 * this in a task. The memory of a task that has ended but is not closed, and the memory of the
 * creator, can be used as long as this process runs.
 *
 * <p>Any thread may use it.
 */
public final class PvasSelf {
    /** The C library ignores this argument in a task. */
    private static final int NO_SPACE = 0;
    private static PvasSelf instance;

    private final int number;
    private final PvasExports exports = new PvasExports(NO_SPACE);

    private PvasSelf(int number) {
        this.number = number;
    }

    static synchronized PvasSelf of(int number) {
        if (instance == null) {
            instance = new PvasSelf(number);
        }
        return instance;
    }

    /**
     * Returns the number of this task in its space.
     *
     * @return the number that {@link PvasTask#number()} returns in its creator
     */
    public int number() {
        return number;
    }

    /**
     * Publishes memory of this task, which others can then access without a copy. So that their
     * accesses are safe, it stays reachable until this process ends, even after {@link #withdraw}:
     * export few and large pieces. A {@link HeapSpan} stays open until it is withdrawn.
     *
     * @param name 1 to 63 bytes; if the name is in use already, it refers to the new memory
     * @param memory a {@link HeapSpan}, or a span of a direct buffer or of a native segment, whose
     *     arena must stay open
     * @throws ArgumentException if an argument is null, the name is too long, or the memory is in
     *     an array, read-only, or outside the partition of this task
     * @throws MemoryExhaustedException if 128 names are in use
     * @throws ClosedException if the memory is closed
     */
    public void export(String name, Span memory) {
        exports.put(name, Errors.required(memory, "memory").memory);
    }

    /**
     * Publishes a direct buffer from its position to its limit; see {@link #export(String, Span)}.
     *
     * @param name 1 to 63 bytes
     * @param memory a direct buffer that is not read-only
     * @throws ArgumentException if an argument is null, the name is too long, or the buffer is
     *     read-only or not direct
     * @throws MemoryExhaustedException if 128 names are in use
     */
    public void export(String name, ByteBuffer memory) {
        export(name, Span.of(memory));
    }

    /**
     * Withdraws an export. Others can no longer find it, but those that have found it keep it. If
     * the name is not in use, nothing happens.
     *
     * @param name the name of the export
     * @throws ArgumentException if the name is null
     */
    public void withdraw(String name) {
        exports.remove(name);
    }

    /**
     * Imports memory that another task, or this one, exports. Waits for the export.
     *
     * @param task the number of the task
     * @param name the name of the export
     * @return the memory
     * @throws PeerFailedException if that task has ended without the export
     * @throws ArgumentException if the task does not exist, or the name is null, empty or too long
     * @throws CorruptionException if the export is not valid memory
     */
    public PvasMemory memory(int task, String name) {
        return memory(required(task), name, Long.MAX_VALUE);
    }

    /**
     * Imports memory that another task exports, and waits for the export for a limited time.
     *
     * @param task the number of the task
     * @param name the name of the export
     * @param most the longest time to wait; zero does not wait
     * @return the memory, or empty if the time is up
     * @throws PeerFailedException if that task has ended without the export
     * @throws ArgumentException if the task does not exist, the name is null, empty or too long, or
     *     the duration is null or negative
     * @throws CorruptionException if the export is not valid memory
     */
    public Optional<PvasMemory> memory(int task, String name, Duration most) {
        return Optional.ofNullable(memory(required(task), name, PvasImports.nanos(most)));
    }

    /**
     * Imports memory that the creator of the space exports. Waits for the export.
     *
     * @param name the name of the export
     * @return the memory
     * @throws ArgumentException if the name is null, empty or too long
     */
    public PvasMemory memoryOfCreator(String name) {
        return memory(PvasBinding.CREATOR, name, Long.MAX_VALUE);
    }

    /**
     * Imports memory that the creator of the space exports, and waits for the export for a limited
     * time.
     *
     * @param name the name of the export
     * @param most the longest time to wait; zero does not wait
     * @return the memory, or empty if the time is up
     * @throws ArgumentException if the name is null, empty or too long, or the duration is null or
     *     negative
     */
    public Optional<PvasMemory> memoryOfCreator(String name, Duration most) {
        return Optional.ofNullable(memory(PvasBinding.CREATOR, name, PvasImports.nanos(most)));
    }

    private static int required(int task) {
        if (task < 0) {
            throw Errors.argument("task " + task + ": expected 0 or more");
        }
        return task;
    }

    private static PvasMemory memory(int task, String name, long nanos) {
        long[] found = PvasImports.find(NO_SPACE, task, name, nanos, () -> { });
        return found == null ? null
                : new PvasMemory(PvasImports.access(PvasRetainer.NOBODY, found), name);
    }
}
