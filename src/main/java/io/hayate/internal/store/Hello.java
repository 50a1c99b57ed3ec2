// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.ByteBuffer;

/**
 * Who a rank is: the first sealed frame.
 *
 * @param version the version of Hayate
 * @param job the name of the job; "": it has none
 * @param host the name of the host, for texts only
 */
record Hello(String version, String job, int rank, int size, String host, long pid) {
    /** The longest name of a job. */
    static final int NAME = 64;

    byte[] encode() {
        return Frame.HELLO.with(3 * (NAME + Short.BYTES) + 2 * Integer.BYTES + Long.BYTES, out -> {
            Frame.putText(out, version, NAME);
            Frame.putText(out, job, NAME);
            Frame.putText(out, host, NAME);
            out.putInt(rank).putInt(size).putLong(pid);
        });
    }

    static Hello decode(ByteBuffer in) throws BadFrameException {
        String version = Frame.text(in, NAME);
        String job = Frame.text(in, NAME);
        String host = Frame.text(in, NAME);
        return new Hello(version, job, in.getInt(), in.getInt(), host, in.getLong());
    }

    /**
     * Returns why a rank cannot be one of the job of rank 0; null: it can.
     *
     * @param first rank 0
     */
    String fault(Hello first) {
        if (!version.equals(first.version)) {
            return this + " has Hayate " + version + ", but rank 0 has " + first.version
                    + ": all ranks need the same version";
        }
        if (size != first.size) {
            return this + " was told a size of " + size + ", but rank 0 " + first.size
                    + ": give all ranks the same size (HAYATE_SIZE)";
        }
        if (rank < 0 || rank >= size) {
            return this + ": expected a rank of 0 to " + (size - 1) + " (HAYATE_RANK)";
        }
        return null;
    }

    @Override
    public String toString() {
        return "rank " + rank + " (process " + pid + " on " + host + ")";
    }
}
