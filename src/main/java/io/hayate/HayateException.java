// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;

/**
 * The base class of all exceptions of Hayate. They are unchecked. Each error code has one
 * class, so that the class and the {@link #code()} of an exception say the same. The stack trace
 * begins with the method of Hayate that the program has called; the next frame is the program's.
 * As the cause of an exception of another library it is printed with all frames.
 */
public class HayateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The error code, which is negative. */
    private final int code;
    /** The rank concerned, or -1. */
    private final int peer;

    HayateException(int code, String reason, int peer, Throwable cause) {
        super(reason, cause);
        this.code = code;
        this.peer = peer;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        return fromTheCall(super.getStackTrace());
    }

    @Override
    public void printStackTrace(PrintStream to) {
        setStackTrace(getStackTrace());
        super.printStackTrace(to);
    }

    @Override
    public void printStackTrace(PrintWriter to) {
        setStackTrace(getStackTrace());
        super.printStackTrace(to);
    }

    /** Without the frames inside of Hayate above the method that the program has called. */
    private static StackTraceElement[] fromTheCall(StackTraceElement[] frames) {
        int call = 0;
        for (int i = 0; i < frames.length; i++) {
            String name = frames[i].getClassName();
            if (isOwn(name)) {
                call = i;
            } else if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
                return Arrays.copyOfRange(frames, call, frames.length);
            }
        }
        return frames;
    }

    private static boolean isOwn(String name) {
        return name.startsWith("io.hayate.internal.") || name.startsWith("io.hayate.tasks.")
                || name.startsWith("io.hayate.scalapack.")
                || name.lastIndexOf('.') == "io.hayate".length() && name.startsWith("io.hayate.");
    }

    /**
     * Returns the error code, {@code HAYATE_ERR_*} of {@code hayate.h}.
     *
     * @return a negative number
     */
    public final int code() {
        return code;
    }

    /**
     * Returns what was wrong, what was expected, and often what to do, as a human-readable
     * sentence.
     *
     * @return the reason, the same as {@link #getMessage()}
     */
    public final String reason() {
        return getMessage();
    }

    /**
     * Returns the rank that the error concerns.
     *
     * @return a rank of the job, or -1 if the error concerns no rank
     */
    public final int peer() {
        return peer;
    }
}
