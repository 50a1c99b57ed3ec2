// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import io.hayate.cli.command.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output that loses nothing silently: a failed write ends the command, whereas the streams
 * of Java only record it.
 */
public final class StandardOutput extends OutputStream {
    private final OutputStream stream;

    private StandardOutput(OutputStream stream) {
        this.stream = stream;
    }

    /**
     * Creates a stream whose methods throw {@link Lost}; unbuffered, because commands write whole
     * lines.
     */
    public static PrintStream over(OutputStream stream) {
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

    /** A failed write; unchecked, so that streams do not hide it. */
    public static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final int NO_READER = 128 + 13; // the exit code after SIGPIPE

        private final boolean hasReader;

        private Lost(IOException cause) {
            super("cannot write to standard output: " + cause.getMessage(), cause);
            hasReader = !"Broken pipe".equals(cause.getMessage());
        }

        /**
         * Prints the reason on standard error, except if the reader (head, less) has closed the
         * pipe.
         */
        public int report(String command) {
            if (hasReader) {
                System.err.println(command + ": " + getMessage());
            }
            return hasReader ? CommandFailure.EXIT_CODE : NO_READER;
        }
    }
}
