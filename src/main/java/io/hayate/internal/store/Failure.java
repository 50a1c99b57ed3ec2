// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.ByteBuffer;

/**
 * Why a job was not started: the fields of a frame of the kind FAIL.
 *
 * @param rank because of which; -1: none
 */
record Failure(int rank, String why) {
    byte[] encode() {
        return Frame.FAIL.with(Integer.BYTES + Short.BYTES + Frame.TEXT, out -> {
            out.putInt(rank);
            Frame.putText(out, why, Frame.TEXT);
        });
    }

    static Failure decode(ByteBuffer in) throws BadFrameException {
        int rank = in.getInt();
        return new Failure(rank, Frame.text(in, Frame.TEXT));
    }
}
