// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a job ended; {@code left}: files that it left in its temporary directory, and warnings of
 * -Xcheck:jni that are not of JNA.
 */
public record Outcome(int exit, List<String> out, List<String> err, List<String> left,
        Duration elapsed) {
    /** Exit of a job that had to be killed. */
    public static final int HUNG = -1;

    /** Everything that tells what happened, for messages. */
    public String describe() {
        String end = exit == HUNG ? "hung" : "exit status " + exit;
        return end + " after " + elapsed.toMillis() + " ms\n--- output\n" + String.join("\n", out)
                + "\n--- errors\n" + String.join("\n", err);
    }

    /** What no run may leave: files, warnings of -Xcheck:jni, the word of a crash. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>(left);
        out.stream().filter(line -> line.startsWith("# A fatal error has been detected"))
                .forEach(faults::add);
        return faults;
    }

    /** Fails unless the job ended with 0 and left nothing. */
    public Outcome good() {
        if (exit != 0 || !faults().isEmpty()) {
            throw new AssertionError(faults() + "\n" + describe());
        }
        return this;
    }
}
