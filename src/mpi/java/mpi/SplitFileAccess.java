// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.LongUnaryOperator;

/**
 * Collective reads and writes in two calls, between which the program can do something else. A file
 * has one at a time: a second begin, and an end that does not belong to the begin, are ERR_IO. The
 * buffer must not be used between both, and an end with another one is ERR_BUFFER. Other errors are
 * those of the methods without "Begin"; what goes wrong in the background is thrown by the end.
 */
class SplitFileAccess extends SharedFileAccess {
    private Split split;

    /** What a begin has started. */
    private record Split(String name, Object buf, FileRequest access) { }

    SplitFileAccess() {
    }

    final boolean isSplit() {
        return split != null;
    }

    private void requireNone() {
        if (split != null) {
            throw new MPIException(ErrorClass.IO, split.name + "Begin was called before: expected"
                    + " its end first, because a file has one such access at a time");
        }
    }

    private void begin(String name, boolean reads, Block data, LongUnaryOperator where) {
        call(() -> {
            requireNone();
            begun(name, data, transfer(reads, data, where));
        });
    }

    private void beginOrdered(String name, boolean reads, Block data) {
        call(() -> begun(name, data, ordered(reads, data, this::requireNone)));
    }

    private void begun(String name, Block data, Transfer transfer) {
        split = new Split(name, data.buf(), started(transfer));
    }

    private Status end(String name, Object buf) {
        return guarded(() -> {
            if (split == null || !split.name.equals(name)) {
                throw new MPIException(ErrorClass.IO, "expected " + name + "Begin before "
                        + name + "End: " + (split == null ? "there was no begin"
                                : split.name + "Begin was called"));
            }
            if (split.buf != buf) {
                throw new MPIException(ErrorClass.BUFFER, "the buffer is not that of " + name
                        + "Begin: expected the same object");
            }
            FileRequest access = split.access;
            split = null;
            return access.complete(true);
        });
    }

    /**
     * Begins {@link #readAtAll}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     */
    public final void readAtAllBegin(long offset, Object buf, int count, Datatype type) {
        begin("readAtAll", true, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Ends {@link #readAtAll}.
     *
     * @param buf the buffer of the begin
     * @return how much was read: less at the end of the file
     */
    public final Status readAtAllEnd(Object buf) {
        return end("readAtAll", buf);
    }

    /**
     * Begins {@link #readAll}.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     */
    public final void readAllBegin(Object buf, int count, Datatype type) {
        begin("readAll", true, Block.of(buf, count, type), this::next);
    }

    /**
     * Ends {@link #readAll}.
     *
     * @param buf the buffer of the begin
     * @return how much was read: less at the end of the file
     */
    public final Status readAllEnd(Object buf) {
        return end("readAll", buf);
    }

    /**
     * Begins {@link #readOrdered}.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     */
    public final void readOrderedBegin(Object buf, int count, Datatype type) {
        beginOrdered("readOrdered", true, Block.of(buf, count, type));
    }

    /**
     * Ends {@link #readOrdered}.
     *
     * @param buf the buffer of the begin
     * @return how much was read: less at the end of the file
     */
    public final Status readOrderedEnd(Object buf) {
        return end("readOrdered", buf);
    }

    /**
     * Begins {@link #writeAtAll}.
     *
     * @param offset where they begin, in etypes of the view
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     */
    public final void writeAtAllBegin(long offset, Object buf, int count, Datatype type) {
        begin("writeAtAll", false, Block.of(buf, count, type), offset(offset));
    }

    /**
     * Ends {@link #writeAtAll}.
     *
     * @param buf the buffer of the begin
     * @return how much was written
     */
    public final Status writeAtAllEnd(Object buf) {
        return end("writeAtAll", buf);
    }

    /**
     * Begins {@link #writeAll}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     */
    public final void writeAllBegin(Object buf, int count, Datatype type) {
        begin("writeAll", false, Block.of(buf, count, type), this::next);
    }

    /**
     * Ends {@link #writeAll}.
     *
     * @param buf the buffer of the begin
     * @return how much was written
     */
    public final Status writeAllEnd(Object buf) {
        return end("writeAll", buf);
    }

    /**
     * Begins {@link #writeOrdered}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     */
    public final void writeOrderedBegin(Object buf, int count, Datatype type) {
        beginOrdered("writeOrdered", false, Block.of(buf, count, type));
    }

    /**
     * Ends {@link #writeOrdered}.
     *
     * @param buf the buffer of the begin
     * @return how much was written
     */
    public final Status writeOrderedEnd(Object buf) {
        return end("writeOrdered", buf);
    }
}
