// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.bindings.PvasDescriptor;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** This process's ends of the pipes of a task; null: the stream is not a pipe. */
public final class PvasStreams {
    public final FileOutputStream in;
    public final FileInputStream out;
    public final FileInputStream err;

    /** Takes ownership of the descriptors; below 0: none. */
    PvasStreams(int in, int out, int err) {
        this.in = in < 0 ? null : new FileOutputStream(PvasDescriptor.of(in));
        this.out = out < 0 ? null : new FileInputStream(PvasDescriptor.of(out));
        this.err = err < 0 ? null : new FileInputStream(PvasDescriptor.of(err));
    }

    /** Closes the pipes without a flush; idempotent. */
    public void close() {
        close(in);
        close(out);
        close(err);
    }

    private static void close(Closeable stream) {
        try {
            if (stream != null) {
                stream.close();
            }
        } catch (IOException lost) {
            // closing a pipe loses no data
        }
    }
}
