// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How a job ended; {@code left}: files that it left in its temporary directory. */
public record Outcome(int exit, List<String> out, List<String> err, List<String> left,
        Duration elapsed) {
    /** Of two ranks' mixed stacks, more than enough. */
    private static final int STACK_LINES = 60;

    /** Exit of a job that had to be killed. */
    public static final int HUNG = -1;

    /** Everything that tells what happened, for messages. */
    public String describe() {
        String end = exit == HUNG ? "hung" : "exit status " + exit;
        return end + " after " + elapsed.toMillis() + " ms\n--- output\n" + String.join("\n", out)
                + "\n--- errors\n" + String.join("\n", err);
    }

    /** What no run may leave: files in its temporary directory, warnings of -Xcheck:jni. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>(left);
        for (int i = 0; i < out.size(); i++) {
            if (isWarning(out.get(i)) && !isOfJna(i + 1)) {
                faults.add(String.join("\n", out.subList(i, Math.min(i + 6, out.size()))));
            }
        }
        return faults;
    }

    private static boolean isWarning(String line) {
        return line.startsWith("FATAL ERROR in native method")
                || line.startsWith("WARNING in native method")
                || line.startsWith("WARNING: JNI local refs")
                || line.startsWith("# A fatal error has been detected");
    }

    /**
     * JNA's own library gives warnings while it is loaded; the stack tells. Ranks mix the lines of
     * their stacks, so the frame may stand some lines below.
     */
    private boolean isOfJna(int at) {
        return out.subList(at, out.size()).stream()
                .limit(STACK_LINES)
                .anyMatch(line -> line.contains("com.sun.jna.Native.loadNativeDispatchLibrary"));
    }

    /** Fails unless the job ended with 0 and left nothing. */
    public Outcome good() {
        if (exit != 0 || !faults().isEmpty()) {
            throw new AssertionError(faults() + "\n" + describe());
        }
        return this;
    }
}
