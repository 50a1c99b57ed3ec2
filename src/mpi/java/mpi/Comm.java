// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A communicator. */
public class Comm extends Collectives implements Freeable, Cloneable {
    Comm() {
    }

    /**
     * Returns the rank of this process.
     *
     * @return 0 to size - 1
     */
    public final int getRank() {
        requireOpen();
        return rank;
    }

    /**
     * Returns the number of members.
     *
     * @return at least 1
     */
    public final int getSize() {
        requireOpen();
        return members.size();
    }

    /** Frees the communicator, which is null afterwards. */
    @Override
    public final void free() {
        requireOpen();
        release();
    }
}
