// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Java programs that are tasks. */
public final class PvasTaskMain {
    static final int VALUES = 1 << 16;
    static final long PAGE = 4096;
    static final int SEVEN = 7;
    private static final long TIMES = 3;
    /** Of mmap(2). */
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    /** What to do; then it waits for the end of its standard input. */
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "values" -> values();
            case "garbage" -> garbage();
            case "many" -> many(Integer.parseInt(arguments[1]));
            case "odd" -> odd();
            case "pages" -> pages();
            case "answer" -> answer();
            case "next" -> next(Integer.parseInt(arguments[1]));
            case "counter" -> counter();
            case "nested" -> nested();
            case "halt" -> Runtime.getRuntime().halt(7);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    static long value(long index) {
        return index * index + 1;
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static void values() {
        ByteBuffer memory = memory(VALUES * Long.BYTES);
        LongBuffer longs = memory.asLongBuffer();
        for (int i = 0; i < VALUES; i++) {
            longs.put(i, value(i));
        }
        Pvas.self().export("values", memory);
    }

    /** Only the exports refer to the memory, and the collector runs. */
    private static void garbage() {
        values();
        Pvas.self().export("values", memory(Long.BYTES));
        Pvas.self().withdraw("values");
        values();
        for (int i = 0; i < 20; i++) {
            memory(VALUES * Long.BYTES);
            System.gc();
        }
        Pvas.self().export("collected", memory(8));
    }

    private static void many(int count) {
        String refused = "none";
        for (int i = 0; i < count && refused.equals("none"); i++) {
            try {
                Pvas.self().export("name-" + i, memory(8));
            } catch (MemoryExhaustedException e) {
                refused = Integer.toString(i);
            }
        }
        System.out.println(refused);
        System.out.flush();
    }

    /** What no correct program exports. */
    private static void odd() {
        PvasSelf self = Pvas.self();
        export("code", MemoryBinding.identity(), 64);
        ByteBuffer last = memory(8);
        long address = MemoryBinding.address(last);
        export("hole", address, 1L << 33);
        self.export("last", last);
    }

    /** Three pages each, of which the middle one cannot be written to, or not even read. */
    private static void pages() {
        long sealed = patched(READ);
        long hidden = patched(0);
        export("sealed", sealed, 3 * PAGE);
        export("sealed, its first page", sealed, PAGE);
        export("hidden", hidden, 3 * PAGE);
        export("hidden, its last page", hidden + 2 * PAGE, PAGE);
        Pvas.self().export("last", memory(8));
    }

    private static void export(String name, long address, long bytes) {
        byte[] text = (name + "\0").getBytes(StandardCharsets.UTF_8);
        Errors.check(PvasBinding.pvasExport(0, text, address, bytes));
    }

    /** Three pages of sevens; what may be done to the middle one afterwards. */
    private static long patched(int rights) {
        NativeLibrary c = NativeLibrary.getInstance("c");
        Pointer memory = c.getFunction("mmap").invokePointer(
                new Object[] {0L, 3 * PAGE, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0L});
        memory.setMemory(0, 3 * PAGE, (byte) SEVEN);
        int failed = c.getFunction("mprotect").invokeInt(
                new Object[] {memory.share(PAGE), PAGE, rights});
        if (failed != 0) {
            throw new IllegalStateException("mprotect");
        }
        return Pointer.nativeValue(memory);
    }

    /** Memory of the creator: a question, and room for the answer. */
    private static void answer() {
        PvasMemory memory = Pvas.self().memoryOfCreator("question");
        LongBuffer longs = memory.buffer().asLongBuffer();
        for (int i = 1; i < longs.capacity(); i++) {
            longs.put(i, TIMES * longs.get(i));
        }
        memory.putLongRelease(0, Pvas.self().number() + 1);
    }

    /** Adds to what the task before it exports. */
    private static void next(int number) {
        ByteBuffer own = memory(Long.BYTES);
        long before = 0;
        if (number > 0) {
            before = Pvas.self().memory(number - 1, "sum", Duration.ofSeconds(120)).orElseThrow()
                    .getLongAcquire(0);
        }
        own.putLong(0, before + number + 1);
        Pvas.self().export("sum", own);
    }

    /** A task that wants to be a creator, and asks for what is not there. */
    private static void nested() {
        try {
            Pvas.create().close();
            System.out.println("created");
        } catch (HayateException e) {
            System.out.println(e.getClass().getSimpleName());
        }
        try {
            Pvas.self().memory(77, "x", Duration.ZERO);
        } catch (HayateException e) {
            System.out.println(e.getClass().getSimpleName());
        }
        System.out.println(Pvas.self().memoryOfCreator("x", Duration.ofMillis(1)));
        System.out.flush();
    }

    /** Counts in its memory, for ever. */
    private static void counter() {
        ByteBuffer own = memory(Long.BYTES);
        Pvas.self().export("count", own);
        PvasMemory count = Pvas.self().memory(Pvas.self().number(), "count");
        for (long i = 1; true; i++) {
            count.putLongRelease(0, i);
        }
    }
}
