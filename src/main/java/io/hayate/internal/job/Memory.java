// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.Element;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.natives.NativeLoader;
import java.nio.Buffer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The memory of a span: a range of an array, of native memory, or of a block of the symmetric heap.
 * Immutable. It keeps its memory reachable, so operations in progress hold this object.
 */
public final class Memory {
    /** The way from a span of the program to its memory; set once, by the class of the spans. */
    private static volatile Function<Object, Memory> ofSpan;
    private static final Memory[] NO_PARTS = {};

    /** The array; null: native memory; or {@link Blocks}. */
    public final Object array;
    /**
     * The address, or the offset in bytes from the first element of the array; {@link
     * Blocks#START} of blocks.
     */
    public final long start;
    /** The type of the array's elements, where native code expects it in a start. */
    private final long elements;
    public final long bytes;
    public final boolean readOnly;
    /** The type of the elements; null: not known. */
    public final Element element;
    /**
     * The bits that are 0 in offsets and lengths of whole values; complex numbers have two. 0 where
     * elements may begin anywhere.
     */
    private final long partial;
    /** The allocation that contains it; null outside the heap. */
    private final HeapBlock block;
    /** Tells whether the memory still exists; null: it exists as long as this object. */
    private final BooleanSupplier alive;
    /** An object that must stay reachable for the memory to exist. */
    @SuppressWarnings("unused")
    private final Object keep;
    /** The memories that are joined; empty: none. */
    private final Memory[] parts;

    private Memory(Object array, long start, long bytes, boolean readOnly, Element element,
            HeapBlock block, BooleanSupplier alive, Object keep) {
        this.array = array;
        this.start = start;
        elements = elements(array);
        this.bytes = bytes;
        this.readOnly = readOnly;
        this.element = element;
        boolean anywhere = element == null || array instanceof byte[];
        partial = anywhere ? 0 : element.part().bytes() - 1; // a power of two
        this.block = block;
        this.alive = alive;
        this.keep = keep;
        parts = array instanceof Blocks blocks && blocks.stride == Blocks.JOINED
                ? (Memory[]) blocks.array : NO_PARTS;
    }

    /**
     * Describes memory outside the heap.
     *
     * @param alive tells whether it still exists; null: as long as {@code keep} is reachable
     * @param keep an object that must stay reachable for it to exist; null: the array
     */
    public Memory(Object array, long start, long bytes, boolean readOnly, BooleanSupplier alive,
            Object keep) {
        this(array, start, bytes, readOnly, null, null, alive, keep);
    }

    private static long elements(Object array) {
        long type = array instanceof double[] ? MemoryBinding.DOUBLES
                : array instanceof float[] ? MemoryBinding.FLOATS
                : array instanceof long[] ? MemoryBinding.LONGS
                : array instanceof int[] ? MemoryBinding.INTS
                : array instanceof byte[] ? MemoryBinding.BYTES
                : array instanceof short[] ? MemoryBinding.SHORTS
                : array instanceof char[] ? MemoryBinding.CHARS
                : array instanceof boolean[] ? MemoryBinding.BOOLEANS : 0;
        return type << MemoryBinding.ELEMENTS_SHIFT;
    }

    /** Called by the class of the spans, when it is initialized. */
    public static void setOfSpan(Function<Object, Memory> only) {
        ofSpan = only;
    }

    /** Returns the memory of a span of the program, for other packages than that of the spans. */
    public static Memory of(Object span) {
        return ofSpan.apply(span);
    }

    /** Describes a whole allocation. */
    public Memory(HeapBlock block) {
        this(null, block.start, block.bytes, false, null, block, null, null);
    }

    /**
     * Describes the memory of a buffer, from its position to its limit, as elements of its type.
     *
     * @param buffer a direct buffer, or one with an accessible array; any but bytes must be in the
     *     order of the machine
     */
    public static Memory of(Buffer buffer) {
        Element element = Buffers.element(buffer);
        int each = element == null ? 1 : element.bytes();
        Memory memory = buffer.isDirect() ? ofDirect(buffer.slice(), each)
                : new Memory(Buffers.array(buffer),
                        (long) each * (buffer.arrayOffset() + buffer.position()),
                        (long) each * buffer.remaining(), false, null, null);
        return element == null ? memory : memory.as(element);
    }

    /** Returns whether the memory of a direct buffer exists, and this thread may access it. */
    public static boolean isAlive(Buffer direct) {
        return Buffers.isAlive(direct);
    }

    private static Memory ofDirect(Buffer buffer, int each) {
        NativeLoader.load();
        BooleanSupplier alive =
                Buffers.HAVE_ARENAS ? () -> Buffers.isAlive(buffer) : null;
        return new Memory(null, MemoryBinding.address(buffer), (long) each * buffer.remaining(),
                buffer.isReadOnly(), alive, buffer);
    }

    /**
     * Describes blocks of this memory as one.
     *
     * @param offset bytes to the first block
     * @param length bytes of a block
     * @param stride bytes from one block to the next
     * @param count blocks
     */
    public Memory strided(long offset, long length, long stride, long count) {
        requireContiguous();
        if (length < 0 || length > Integer.MAX_VALUE || count < 0 || count > Integer.MAX_VALUE
                || stride < length) {
            throw Errors.argument(count + " blocks of " + length + " bytes with stride " + stride
                    + ": expected at most 2147483647 blocks and bytes, and a stride of at least a"
                    + " block");
        }
        long gaps = Math.max(count - 1, 1);
        long extent = count == 0 ? 0 : stride > (Long.MAX_VALUE - length) / gaps ? Long.MAX_VALUE
                : (count - 1) * stride + length;
        Blocks blocks = new Blocks(
                array, at(offset, extent), length, stride, (int) count);
        return new Memory(
                blocks, Blocks.START, length * count, readOnly, element, block, alive, keep);
    }

    /**
     * Describes the same bytes of each row.
     *
     * @param rows arrays that exist and contain these bytes; the array of arrays is not changed
     *     any more
     */
    public static Memory ofRows(Object[] rows, long start, long length) {
        long typed = rows.length == 0 ? start : start | elements(rows[0]);
        Blocks blocks = new Blocks(rows, typed, length, 0, rows.length);
        return new Memory(blocks, Blocks.START, length * rows.length, false, null, null);
    }

    /**
     * Describes several memories one behind the other, of any kinds. It can be used in collectives,
     * which copy it.
     *
     * @param all memories that are not joined themselves; the array is not changed any more
     */
    public static Memory joined(Memory[] all) {
        long length = 0;
        boolean fixed = false;
        for (Memory each : all) {
            length += each.bytes;
            fixed |= each.readOnly;
        }
        Blocks blocks = new Blocks(all, 0, length, Blocks.JOINED, all.length);
        return new Memory(blocks, Blocks.START, length, fixed, null, null);
    }

    /** Returns whether it consists of several memories, which only {@link #pin} protects. */
    public boolean isJoined() {
        return parts.length > 0;
    }

    private void requireContiguous() {
        if (start == Blocks.START) {
            throw Errors.argument("the span consists of blocks: it can only be used as a whole, in"
                    + " messages and collectives of Fmpl");
        }
    }

    public Memory slice(long offset, long length) {
        requireContiguous();
        return new Memory(
                array, within(offset, length), length, readOnly, element, block, alive, keep);
    }

    /** Describes the same memory as elements of a type. */
    public Memory as(Element type) {
        return new Memory(array, start, bytes, readOnly, type, block, alive, keep);
    }

    /** Returns whether {@code number} bytes are not whole values of the type. */
    public boolean isPartial(long number) {
        return (number & partial) != 0;
    }

    /** Refuses an offset that is not one of a value of the type. */
    public void requireAligned(long offset) {
        if (isPartial(start + offset)) {
            throw Errors.argument("the data begin " + (start + offset & partial) + " bytes behind"
                    + " the beginning of an element: offsets are in bytes, not elements; expected"
                    + " a multiple of " + (partial + 1) + " for " + element);
        }
    }

    /** Returns whether it is in the symmetric heap of a job. */
    public boolean isOfHeap() {
        return block != null;
    }

    /**
     * Returns whether the memory can disappear while this object is reachable, other than by a
     * close of its heap span.
     */
    public boolean perishes() {
        for (Memory part : parts) {
            if (part.perishes()) {
                return true;
            }
        }
        return alive != null;
    }

    /**
     * Returns whether the program itself may free the memory at any time: that of an arena. Of a
     * direct buffer this is not known.
     */
    public boolean isFreedByProgram() {
        Object in = array instanceof Blocks blocks ? blocks.array : array;
        return alive != null && in == null && !(keep instanceof Buffer);
    }

    /** Returns an array with a copy of a range of native memory. */
    public Memory copy(long offset, long length) {
        long from = within(offset, length);
        byte[] copy = new byte[Math.toIntExact(length)];
        if (array instanceof Blocks blocks) {
            for (int i = 0; i < blocks.count; i++) {
                MemoryBinding.buffer(blocks.start + i * blocks.stride, blocks.block)
                        .get(copy, (int) (i * blocks.block), (int) blocks.block);
            }
        } else if (length > 0) {
            MemoryBinding.buffer(from, length).get(copy);
        }
        return new Memory(copy, 0, length, true, null, null);
    }

    /**
     * Returns the start of a range for native code: with the type of an array's elements. The range
     * must be inside this memory, and the memory must exist.
     */
    public long at(long offset, long length) {
        return within(offset, length) | elements;
    }

    private long within(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        if (block != null) {
            block.requireOpen();
        }
        if (alive != null && !alive.getAsBoolean()) {
            throw Errors.exception(Errors.CLOSED,
                    "the memory segment is closed, or belongs to another thread", -1);
        }
        if (parts.length > 0) {
            requireParts();
        }
        return start + offset;
    }

    private void requireParts() {
        for (Memory part : parts) {
            part.within(0, part.bytes);
        }
    }

    /** Returns an address in the heap that shows which of its memory is in use. */
    public long mark(long from) {
        return from == Blocks.START ? ((Blocks) array).start : from;
    }

    /** Returns the start of a range, not of blocks, that an operation of this job may read. */
    public long readable(Job job, long offset, long length) {
        requireContiguous();
        return sendable(job, offset, length);
    }

    /** Returns the start of a range, not of blocks, that an operation of this job may write. */
    public long writable(Job job, long offset, long length) {
        requireContiguous();
        return receivable(job, offset, length);
    }

    /** Like readable(), also for blocks, which have no other offset than 0. */
    public long sendable(Job job, long offset, long length) {
        if (offset != 0) {
            requireContiguous();
        }
        long from = at(offset, length);
        if (block != null && block.job() != job) {
            block.job().requireOpen();
            throw Errors.argument("the heap span belongs to another job");
        }
        if (parts.length > 0) {
            requirePartsOf(job);
        }
        return from;
    }

    private void requirePartsOf(Job job) {
        for (Memory part : parts) {
            part.sendable(job, 0, part.bytes);
        }
    }

    /** Like writable(), also for blocks, which have no other offset than 0. */
    public long receivable(Job job, long offset, long length) {
        long from = sendable(job, offset, length);
        if (readOnly) {
            throw Errors.argument("the memory is read-only: it can only be sent from");
        }
        return from;
    }

    /** Describes it for a debugger. */
    @Override
    public String toString() {
        return bytes + " bytes of " + place() + (element == null ? "" : ", " + element)
                + (readOnly ? ", read-only" : "")
                + (block != null && block.isClosed() ? ", closed" : "");
    }

    private String place() {
        if (start == Blocks.START) {
            Blocks blocks = (Blocks) array;
            if (isJoined()) {
                return blocks.count + " memories, the first in " + parts[0].place();
            }
            return blocks.count + " blocks of " + blocks.block + " in " + place(blocks.array);
        }
        return place(array);
    }

    private String place(Object in) {
        return in != null ? in.getClass().getSimpleName()
                : block != null ? "the symmetric heap" : "native memory";
    }

    /** Prevents a close of its heap block until unpin() has been called as often as this method. */
    public void pin() {
        if (block != null) {
            block.pin();
        }
        for (Memory part : parts) {
            part.pin();
        }
    }

    public void unpin() {
        if (block != null) {
            block.unpin();
        }
        for (Memory part : parts) {
            part.unpin();
        }
    }
}
