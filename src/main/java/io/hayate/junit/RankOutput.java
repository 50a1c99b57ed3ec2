// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * While it is open, puts the rank before each line that the thread of a rank prints, or a thread
 * that it has started, as {@code hayate run --tag-output} does for processes. Lines are written
 * whole. Other threads print as before.
 */
final class RankOutput implements AutoCloseable {
    private static final InheritableThreadLocal<Rank> CURRENT = new InheritableThreadLocal<>();
    /** Those that are open: tests may run at the same time. */
    private static int open;
    private static Stream out;
    private static Stream err;

    /** The unfinished lines of a rank. */
    private static final class Rank {
        private final String tag;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();

        Rank(int number) {
            tag = "[" + number + "] ";
        }
    }

    /** Takes the place of a standard stream. */
    private static final class Stream extends OutputStream {
        private final PrintStream original;
        private final PrintStream tagging = new PrintStream(this, true);

        Stream(PrintStream original) {
            this.original = original;
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            Rank rank = CURRENT.get();
            if (rank == null) {
                original.write(bytes, offset, length);
                return;
            }
            ByteArrayOutputStream line = this == RankOutput.out ? rank.out : rank.err;
            synchronized (line) { // of a rank's threads
                for (int i = offset; i < offset + length; i++) {
                    line.write(bytes[i]);
                    if (bytes[i] == '\n') {
                        print(rank, line);
                    }
                }
            }
        }

        @Override
        public void flush() {
            original.flush();
        }

        private void print(Rank rank, ByteArrayOutputStream line) {
            byte[] tag = rank.tag.getBytes();
            byte[] whole = new byte[tag.length + line.size()];
            System.arraycopy(tag, 0, whole, 0, tag.length);
            System.arraycopy(line.toByteArray(), 0, whole, tag.length, line.size());
            line.reset();
            original.write(whole, 0, whole.length);
        }

        /** Prints what the rank has not ended with a new line. */
        void end(Rank rank, ByteArrayOutputStream line) {
            synchronized (line) {
                if (line.size() > 0) {
                    line.write('\n');
                    print(rank, line);
                }
            }
        }
    }

    private RankOutput() {
    }

    static RankOutput open() {
        synchronized (RankOutput.class) {
            if (open++ == 0) {
                out = new Stream(System.out);
                err = new Stream(System.err);
                System.setOut(out.tagging);
                System.setErr(err.tagging);
            }
        }
        return new RankOutput();
    }

    /** Runs the body of a rank in this thread. */
    void tag(int number, Runnable body) {
        Rank rank = new Rank(number);
        CURRENT.set(rank);
        try {
            body.run();
        } finally {
            CURRENT.remove();
            out.end(rank, rank.out);
            err.end(rank, rank.err);
        }
    }

    /** Puts the streams back, unless somebody else has replaced them. */
    @Override
    public void close() {
        synchronized (RankOutput.class) {
            if (--open > 0) {
                return;
            }
            if (System.out == out.tagging) {
                System.setOut(out.original);
            }
            if (System.err == err.tagging) {
                System.setErr(err.original);
            }
        }
    }
}
