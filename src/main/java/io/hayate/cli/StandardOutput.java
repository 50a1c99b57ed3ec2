// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output that does not lose anything silently: a write that fails ends the command, where
 * the streams of Java would only remember it.
 */
final class StandardOutput extends OutputStream {
    private final OutputStream stream;

    private StandardOutput(OutputStream stream) {
        this.stream = stream;
    }

    /** A stream whose methods throw {@link Lost}; unbuffered, as it is written to by lines. */
    static PrintStream over(OutputStream stream) {
        return new PrintStream(new StandardOutput(stream), true);
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            stream.write(bytes, offset, length);
        } catch (IOException e) {
            throw new Lost(e);
        }
    }

    /** Not a failure that streams keep to themselves. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final int NO_READER = 128 + 13; // as if SIGPIPE had ended it

        private final boolean hasReader;

        private Lost(IOException cause) {
            super("cannot write to standard output: " + cause.getMessage(), cause);
            hasReader = !"Broken pipe".equals(cause.getMessage());
        }

        /** Says why on standard error; that a reader (head, less) has seen enough needs no word. */
        int report(String command) {
            if (hasReader) {
                System.err.println(command + ": " + getMessage());
            }
            return hasReader ? Main.FAILED : NO_READER;
        }
    }
}
