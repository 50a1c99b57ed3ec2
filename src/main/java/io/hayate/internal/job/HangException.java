// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import java.time.Duration;

/** A rank has not ended in time; its stack trace is that of the rank's thread. */
public final class HangException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private String waits = "";

    HangException(Duration limit, StackTraceElement... stack) {
        super("it has not ended after " + Deadline.text(limit) + where(stack));
        setStackTrace(stack);
    }

    void setWaits(String lines) {
        waits = lines;
    }

    /** Returns who waited for whom in the job then, in lines; empty if nobody did. */
    public String waits() {
        return waits;
    }

    /** The call of the program that does not return; the calls that it makes inside are details. */
    private static String where(StackTraceElement... stack) {
        for (StackTraceElement frame : stack) {
            if (!isLibrary(frame.getClassName())) {
                return " (" + frame.getClassName() + "." + frame.getMethodName() + "("
                        + frame.getFileName() + ":" + frame.getLineNumber() + "))";
            }
        }
        return "";
    }

    private static boolean isLibrary(String type) {
        return type.matches("(java|jdk|sun)\\..*"
                + "|io\\.hayate\\.((internal|scalapack|tasks)\\..*|[A-Z][\\w$]*)");
    }
}
