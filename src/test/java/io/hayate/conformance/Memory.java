// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/** Memory of some kind with a range to send or receive, and guards that must not change. */
public final class Memory implements AutoCloseable {
    private static final int GUARD = 16;
    private static final byte GUARD_BYTE = 0x5a;

    final Span whole;
    private final Consumer<byte[]> store;
    private final Consumer<byte[]> load;
    private final Runnable release;
    private int bytes;
    private Span span;

    /** {@code store} writes an image of the whole to the memory, {@code load} reads one. */
    Memory(Span whole, Consumer<byte[]> store, Consumer<byte[]> load, Runnable release) {
        this.whole = whole;
        this.store = store;
        this.load = load;
        this.release = release;
    }

    static int roomFor(int bytes) {
        return GUARD + (bytes + 7) / 8 * 8 + GUARD;
    }

    Memory within(int count) {
        bytes = count;
        span = whole.slice(GUARD, count);
        Rank.equal(count, span.bytes(), "length of a slice");
        return this;
    }

    /** The range between the guards. */
    public Span span() {
        return span;
    }

    /** Fills the range with the pattern of a number. */
    public Memory fill(int seed) {
        store.accept(image(seed, bytes));
        return this;
    }

    /** Fills everything with what guards hold. */
    public Memory clear() {
        store.accept(image(0, 0));
        return this;
    }

    /** The first {@code count} bytes hold the pattern, nothing else was written. */
    public void verify(int seed, int count) {
        byte[] expected = image(seed, count);
        byte[] actual = new byte[(int) whole.bytes()];
        load.accept(actual);
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new AssertionError("byte " + (at - GUARD) + " of " + count + " (room for " + bytes
                    + ") is " + actual[at] + ", expected " + expected[at]);
        }
    }

    /** Fills the range with the content of a buffer of its length. */
    public void put(ByteBuffer content) {
        byte[] image = image(0, 0);
        content.get(0, image, GUARD, bytes);
        store.accept(image);
    }

    /** A copy of the range; fails when a guard was written. */
    public ByteBuffer get() {
        byte[] image = new byte[(int) whole.bytes()];
        load.accept(image);
        for (int i = 0; i < image.length; i++) {
            boolean guard = i < GUARD || i >= GUARD + bytes;
            Rank.check(!guard || image[i] == GUARD_BYTE, "the guard at " + (i - GUARD));
        }
        return ByteBuffer.wrap(image, GUARD, bytes).slice().order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        release.run();
    }

    private byte[] image(int seed, int count) {
        byte[] image = new byte[(int) whole.bytes()];
        Arrays.fill(image, GUARD_BYTE);
        for (int i = 0; i < count; i++) {
            image[GUARD + i] = (byte) (seed * 31 + i * 7 + (i >>> 8) * 13);
        }
        return image;
    }
}
