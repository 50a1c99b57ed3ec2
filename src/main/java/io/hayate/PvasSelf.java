// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import io.hayate.internal.pvas.PvasExports;
import io.hayate.internal.pvas.PvasImports;
import io.hayate.internal.pvas.PvasKeeper;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * This process as a task of the address space of another one, from {@link Pvas#self()}. It
 * publishes memory, and looks at that of other tasks and of the process that made the space.
 *
 * <p>What a task looks at is kept for it by the creator: the memory of another task must not be
 * looked at any more when the creator closes that one, for then it is given back to the system.
 * {@link PvasMemory} cannot tell that here. Memory of a task that has ended, but is not closed, and
 * memory of the creator can be used as long as this process runs.
 *
 * <p>Any thread may use it.
 */
public final class PvasSelf {
    /** Ignored from a task. */
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
     * Its number in its space.
     *
     * @return what {@link PvasTask#number()} is for its creator
     */
    public int number() {
        return number;
    }

    /**
     * Publishes memory of this task, which others see from then on without a copy. It stays
     * reachable until this process ends, even after {@link #withdraw}, so that whoever looks at it
     * is safe: export few and large pieces. A {@link HeapSpan} stays open until it is withdrawn.
     *
     * @param name 1 to 63 bytes; one that is in use already gets the new memory
     * @param memory a {@link HeapSpan}, or a span of a direct buffer or of a native segment, whose
     *     arena must stay open
     * @throws ArgumentException if something is null, the name is too long, or the memory is that
     *     of an array, read-only, or not in this task's partition
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
     * @throws ArgumentException if something is null, the name is too long, or the buffer is not
     *     direct or read-only
     * @throws MemoryExhaustedException if 128 names are in use
     */
    public void export(String name, ByteBuffer memory) {
        export(name, Span.of(memory));
    }

    /**
     * Takes an export back: nobody finds it any more, but those who have found it keep it. Of a
     * name that is not in use nothing happens.
     *
     * @param name what it was exported as
     * @throws ArgumentException if the name is null
     */
    public void withdraw(String name) {
        exports.remove(name);
    }

    /**
     * Looks at memory that another task, or this one, exports. Waits until it does.
     *
     * @param task its number
     * @param name as what it exports it
     * @return the memory
     * @throws PeerFailedException if that task has ended without it
     * @throws ArgumentException if there is no such task, or the name is null, empty or too long
     * @throws CorruptionException if what it exports is no memory
     */
    public PvasMemory memory(int task, String name) {
        return memory(required(task), name, Long.MAX_VALUE);
    }

    /**
     * Looks at memory that another task exports, if it does within some time.
     *
     * @param task its number
     * @param name as what it exports it
     * @param most how long to wait for it; zero only looks
     * @return the memory, or empty
     * @throws PeerFailedException if that task has ended without it
     * @throws ArgumentException if there is no such task, the name is null, empty or too long, or
     *     the duration is null or negative
     * @throws CorruptionException if what it exports is no memory
     */
    public Optional<PvasMemory> memory(int task, String name, Duration most) {
        return Optional.ofNullable(memory(required(task), name, PvasImports.nanos(most)));
    }

    /**
     * Looks at memory that the process exports that made the space. Waits until it does.
     *
     * @param name as what it exports it
     * @return the memory
     * @throws ArgumentException if the name is null, empty or too long
     */
    public PvasMemory memoryOfCreator(String name) {
        return memory(PvasBinding.CREATOR, name, Long.MAX_VALUE);
    }

    /**
     * Looks at memory that the process exports that made the space, if it does within some time.
     *
     * @param name as what it exports it
     * @param most how long to wait for it; zero only looks
     * @return the memory, or empty
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
                : new PvasMemory(PvasImports.access(PvasKeeper.NOBODY, found), name);
    }
}
