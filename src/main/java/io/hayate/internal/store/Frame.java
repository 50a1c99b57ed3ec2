// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The kinds of sealed frames, and how their fields are written: big-endian, texts in UTF-8. */
enum Frame {
    /** Rank to store, once: a {@link Hello}. */
    HELLO,
    /** Store to rank, at once and every second: the round, and a text that says who is missing. */
    WAIT,
    /** Rank to store: the round and the record. */
    GIVE,
    /** Store to rank: the round, the key of the next frame and its length; that has all records. */
    ALL,
    /** Either way: the job has failed because of a rank, or -1; and why. */
    FAIL;

    /** The longest record. */
    static final int RECORD = 4096;
    /** The longest text. */
    static final int TEXT = 1000;

    /** What is read of a frame. */
    @FunctionalInterface
    interface Reader<T> {
        /** Reads the fields. */
        T read(ByteBuffer in) throws BadFrameException;
    }

    /** Creates a frame of this kind. */
    byte[] with(int room, Consumer<ByteBuffer> fields) {
        ByteBuffer out = ByteBuffer.allocate(1 + room).put((byte) ordinal());
        fields.accept(out);
        return Arrays.copyOf(out.array(), out.position());
    }

    static Frame kind(byte[] frame) throws BadFrameException {
        if (frame.length == 0 || frame[0] < 0 || frame[0] >= values().length) {
            throw new BadFrameException("a frame of an unknown kind");
        }
        return values()[frame[0]];
    }

    /** Reads the fields of a frame, of which nothing may be left. */
    static <T> T read(byte[] frame, Reader<T> reader) throws BadFrameException {
        ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
        try {
            T fields = reader.read(in);
            if (in.hasRemaining()) {
                throw new BadFrameException("a frame is too long");
            }
            return fields;
        } catch (BufferUnderflowException e) {
            throw new BadFrameException("a frame is too short");
        }
    }

    /** Writes a text, which is cut at so many bytes. */
    static void putText(ByteBuffer out, String text, int most) {
        putBytes(out, Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8),
                Math.min(most, text.getBytes(StandardCharsets.UTF_8).length)));
    }

    /** Reads a text, in which what cannot be printed is replaced. */
    static String text(ByteBuffer in, int most) throws BadFrameException {
        return new String(bytes(in, most), StandardCharsets.UTF_8)
                .replaceAll("[\\p{Cntrl}\\p{Cf}\uFFFD]", "?");
    }

    static void putBytes(ByteBuffer out, byte[] bytes) {
        out.putShort((short) bytes.length).put(bytes);
    }

    static byte[] bytes(ByteBuffer in, int most) throws BadFrameException {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > most || length > in.remaining()) {
            throw new BadFrameException("a field of " + length + " bytes: expected at most "
                    + Math.min(most, in.remaining()));
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** Reads as many records as there are ranks. */
    static List<byte[]> records(byte[] all, int ranks) throws BadFrameException {
        ByteBuffer in = ByteBuffer.wrap(all);
        List<byte[]> records = new ArrayList<>(ranks);
        try {
            for (int i = 0; i < ranks; i++) {
                records.add(bytes(in, RECORD));
            }
        } catch (BufferUnderflowException e) {
            throw new BadFrameException("too few records");
        }
        return records;
    }
}
