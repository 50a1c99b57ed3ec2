// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import java.time.Duration;

/** A rank has not ended in time; its stack trace is that of the rank's thread. */
public final class HangException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HangException(Duration limit, StackTraceElement... stack) {
        super("it has not ended after " + Deadline.text(limit) + where(stack));
        setStackTrace(stack);
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
