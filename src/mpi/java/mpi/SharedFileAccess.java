// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Reads and writes at the shared pointer, which all ranks of the file have in common. It counts
 * etypes of the view, which must be the same on all ranks for this. Whoever reads or writes first
 * moves it on, by as many etypes as were asked for; so no two ranks get the same place. Errors are
 * those of {@link FileAccess}; all methods can be used with {@code MODE_SEQUENTIAL} except
 * {@link #seekShared} and {@link #getPositionShared}.
 */
class SharedFileAccess extends FileAccess {
    SharedFileAccess() {
    }

    /**
     * Reads data at the shared pointer.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status readShared(Object buf, int count, Datatype type) {
        return now(true, Block.of(buf, count, type), this::takeShared);
    }

    /**
     * Starts {@link #readShared}, and moves the pointer on. The buffer must not be used before
     * the request is complete.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iReadShared(Buffer buf, int count, Datatype type) {
        return later(true, Block.of(buf, count, type), this::takeShared);
    }

    /**
     * Reads data at the shared pointer in the order of ranks; collective. A rank that fails
     * reads nothing, and the others go on.
     *
     * @param buf the room for the data
     * @param count the number of elements
     * @param type their type
     * @return how much was read: less at the end of the file
     */
    public final Status readOrdered(Object buf, int count, Datatype type) {
        return guarded(() -> ordered(true, Block.of(buf, count, type), () -> { }).run());
    }

    /**
     * Writes data at the shared pointer.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status writeShared(Object buf, int count, Datatype type) {
        return now(false, Block.of(buf, count, type), this::takeShared);
    }

    /**
     * Starts {@link #writeShared}, and moves the pointer on. The buffer must not be used before
     * the request is complete.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return the request
     */
    public final Request iWriteShared(Buffer buf, int count, Datatype type) {
        return later(false, Block.of(buf, count, type), this::takeShared);
    }

    /**
     * Writes data at the shared pointer in the order of ranks; collective. A rank that fails
     * writes nothing, and the others go on.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @return how much was written
     */
    public final Status writeOrdered(Object buf, int count, Datatype type) {
        return guarded(() -> ordered(false, Block.of(buf, count, type), () -> { }).run());
    }

    /**
     * Moves the shared pointer; collective.
     *
     * @param offset etypes, may be negative; the same on all ranks
     * @param whence {@code MPI.SEEK_SET}, {@code SEEK_CUR} or {@code SEEK_END}, as of {@link #seek}
     * @throws MPIException also ERR_NOT_SAME if the arguments differ
     */
    public final void seekShared(long offset, int whence) {
        call(() -> {
            Agreement.on(ranks, mode::requireRandom, offset, whence).requireSame(0, "the offset")
                    .requireSame(1, "what the seek counts from");
            Agreement.on(ranks, () -> {
                if (rank() == OWNER) {
                    shared(target(offset, whence, shared()));
                }
            });
        });
    }

    /**
     * Returns where the shared pointer is.
     *
     * @return etypes from the beginning of the view
     */
    public final long getPositionShared() {
        return guarded(() -> {
            mode.requireRandom();
            return shared();
        });
    }
}
