// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.HeapSpan;
import io.hayate.Pvas;
import io.hayate.PvasMemory;
import io.hayate.PvasSelf;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task's own view of its space, where the other tasks do the same. What is exported has one
 * pattern throughout, and nobody writes to it.
 */
final class SelfCalls extends CallTable {
    private static final int TASKS = 3;
    /** What is exported stays for as long as the process lives. */
    private static final AtomicInteger LEFT = new AtomicInteger(500);

    private final PvasSelf self = Pvas.self();

    SelfCalls(long seed) {
        if (!Pvas.isTask() || Pvas.self() != self) {
            throw new AssertionError("a task that is not itself");
        }
        call("export", this::export);
        call("withdraw", chance -> self.withdraw(name(chance)));
        call("memory", this::memory);
        call("look", this::look);
        call("misuse", this::misuse);
        call("a space of its own", chance -> Pvas.create(chance.index(4), 0).close());
        call("close", this::closeOne);
    }

    private static String name(Chance chance) {
        return chance.oneIn(10) ? chance.of("", null, "\0", "x".repeat(64), "\u20ac")
                : "name " + chance.below(5);
    }

    private void export(Chance chance) {
        String name = name(chance);
        if (LEFT.getAndDecrement() > 0) {
            ByteBuffer memory = ByteBuffer.allocateDirect(1 + chance.below(5000));
            byte pattern = (byte) (1 + chance.below(100));
            for (int i = 0; i < memory.capacity(); i++) {
                memory.put(i, pattern);
            }
            self.export(name, memory);
        }
        switch (chance.below(3)) {
            case 0 -> self.export(name, Span.of(new byte[8]));
            case 1 -> self.export(name, ByteBuffer.allocateDirect(8).asReadOnlyBuffer());
            default -> self.export(name, (HeapSpan) null);
        }
    }

    private void memory(Chance chance) {
        Duration most = chance.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofNanos(-1), null);
        if (chance.oneIn(10)) {
            self.memoryOfCreator(name(chance), most).ifPresent(this::keep);
        } else {
            self.memory(chance.index(TASKS), name(chance), most).ifPresent(this::keep);
        }
    }

    private void look(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory == null) {
            return;
        }
        byte[] bytes = new byte[(int) memory.bytes()];
        if (chance.oneIn(2)) {
            memory.read(0, ByteBuffer.wrap(bytes));
        } else {
            memory.buffer().get(bytes);
        }
        byte[] expected = new byte[bytes.length];
        Arrays.fill(expected, bytes[0]);
        if (bytes[0] < 1 || bytes[0] > 100 || !Arrays.equals(expected, bytes)) {
            throw new AssertionError(memory.name() + " begins with " + bytes[0]);
        }
    }

    private void misuse(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory != null) {
            switch (chance.below(4)) {
                case 0 -> memory.getLongAcquire(chance.offset(memory.bytes()));
                case 1 -> memory.putIntRelease(memory.bytes() + chance.below(9) - 3, 1);
                case 2 -> memory.buffer(chance.offset(memory.bytes()), chance.index(100));
                default -> memory.write(chance.of(-1L, memory.bytes()), ByteBuffer.allocate(8));
            }
        }
    }

    private void closeOne(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory != null) {
            memory.close();
        }
    }

    @Override
    void close() {
        forget();
    }
}
