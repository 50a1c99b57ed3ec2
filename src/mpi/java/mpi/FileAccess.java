// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Reads and writes at an offset that is given, and at the individual pointer. Offsets count etypes
 * of the view, without what it does not show. The individual pointer moves on by as many etypes as
 * were asked for, also if the file ends before.
 *
 * <p>The methods whose name contains "All" are collective by the standard; here each rank reads and
 * writes on its own, and none waits for another one. A buffer of a request must not be used before
 * the request is complete.
 *
 * <p>Errors of all: ERR_FILE after close, ERR_ACCESS or ERR_READ_ONLY if the file was opened for
 * the other direction, ERR_UNSUPPORTED_OPERATION with {@code MODE_SEQUENTIAL}, ERR_BUFFER,
 * ERR_COUNT and ERR_TYPE as messages, ERR_TYPE for objects and for data that are no whole etypes,
 * ERR_ARG for an offset below 0, ERR_NO_SPACE, ERR_QUOTA and ERR_IO of the file system.
 */
class FileAccess extends FileTransfers {
    FileAccess() {
    }

    // ---- at an offset ----

    /**
     * Reads data at an offset.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status readAt(long offset, Object buf, int count, Datatype type) {
        return now(true, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Reads data at an offset, as {@link #readAt}. All ranks of the file call it.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status readAtAll(long offset, Object buf, int count, Datatype type) {
        return now(true, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Starts {@link #readAt}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iReadAt(long offset, Buffer buf, int count, Datatype type) {
        return later(true, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Starts {@link #readAtAll}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) {
        return later(true, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Writes data at an offset.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status writeAt(long offset, Object buf, int count, Datatype type) {
        return now(false, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Writes data at an offset, as {@link #writeAt}. All ranks of the file call it.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status writeAtAll(long offset, Object buf, int count, Datatype type) {
        return now(false, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Starts {@link #writeAt}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iWriteAt(long offset, Buffer buf, int count, Datatype type) {
        return later(false, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Starts {@link #writeAtAll}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) {
        return later(false, Block.of(buf, count, type), offset(offset));
    }

    // ---- at the individual pointer ----

    /**
     * Reads data at the individual pointer.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status read(Object buf, int count, Datatype type) {
        return now(true, Block.of(buf, count, type), this::next);
    }

    /**
     * Reads data at the individual pointer, as {@link #read}. All ranks
     * of the file call it.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status readAll(Object buf, int count, Datatype type) {
        return now(true, Block.of(buf, count, type), this::next);
    }

    /**
     * Starts {@link #read}, and moves the pointer on.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iRead(Buffer buf, int count, Datatype type) {
        return later(true, Block.of(buf, count, type), this::next);
    }

    /**
     * Starts {@link #readAll}, and moves the pointer on.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iReadAll(Buffer buf, int count, Datatype type) {
        return later(true, Block.of(buf, count, type), this::next);
    }

    /**
     * Writes data at the individual pointer.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status write(Object buf, int count, Datatype type) {
        return now(false, Block.of(buf, count, type), this::next);
    }

    /**
     * Writes data at the individual pointer, as {@link #write}. All ranks
     * of the file call it.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status writeAll(Object buf, int count, Datatype type) {
        return now(false, Block.of(buf, count, type), this::next);
    }

    /**
     * Starts {@link #write}, and moves the pointer on.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iWrite(Buffer buf, int count, Datatype type) {
        return later(false, Block.of(buf, count, type), this::next);
    }

    /**
     * Starts {@link #writeAll}, and moves the pointer on.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iWriteAll(Buffer buf, int count, Datatype type) {
        return later(false, Block.of(buf, count, type), this::next);
    }

    /**
     * Moves the individual pointer.
     *
     * @param offset etypes, may be negative
     * @param whence {@code MPI.SEEK_SET}: from the beginning of the view; {@code SEEK_CUR}: from
     *     where it is; {@code SEEK_END}: from the end of the file
     */
    public final void seek(long offset, int whence) {
        call(() -> {
            mode.requireRandom();
            position.set(target(offset, whence, position.get()));
        });
    }

    /**
     * Returns where the individual pointer is.
     *
     * @return etypes from the beginning of the view
     */
    public final long getPosition() {
        return guarded(() -> {
            mode.requireRandom();
            return position.get();
        });
    }

    /**
     * Returns where an offset in the view is in the file.
     *
     * @param offset etypes, at least 0
     * @return bytes from the beginning of the file
     */
    public final long getByteOffset(long offset) {
        return guarded(() -> map.place(byteOf(requireOffset(offset))));
    }
}
