// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;

/** What a rank says about a scenario: one line, written in one piece. */
record Report(int rank, String scenario, State state, String text) {
    private static final String MARK = "@hayate ";

    enum State { BEGUN, PASSED, FAILED }

    static Report failed(int rank, String scenario, Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        // Below PIPE_BUF, so that the lines of ranks do not mix.
        String brief = text.toString();
        return new Report(rank, scenario, State.FAILED,
                brief.substring(0, Math.min(brief.length(), 3000)));
    }

    /** To the standard output. */
    void print() {
        String line = MARK + rank + " " + scenario + " " + state + " "
                + text.replace("\n", "\\n").replace("\t", " ") + "\n";
        byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }

    /** From a line of output; nothing when it is something else. */
    static Optional<Report> parse(String line) {
        int start = line.indexOf(MARK);
        if (start < 0) {
            return Optional.empty();
        }
        String[] words = line.substring(start + MARK.length()).split(" ", 4);
        return Optional.of(new Report(Integer.parseInt(words[0]), words[1],
                State.valueOf(words[2]), words.length < 4 ? "" : words[3].replace("\\n", "\n")));
    }
}
