// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * How a task ended.
 *
 * @param exited true: the task exited with status {@code code}; false: the signal {@code code}
 *     killed it
 * @param code exit status 0 to 255, or number of the signal
 * @param dumped whether a core file was written
 */
public record PvasStatus(boolean exited, int code, boolean dumped) {
    private static final String[] SIGNALS = {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS",
        "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT",
        "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO",
        "PWR", "SYS"};
    private static final int SIGNAL_BASE = 128;

    /**
     * Returns whether the task succeeded.
     *
     * @return true if it exited with 0
     */
    public boolean good() {
        return exited && code == 0;
    }

    /**
     * Returns exit status or signal as one number, as shells do.
     *
     * @return the exit status, or 128 + the number of the signal
     */
    public int shellCode() {
        return exited ? code : SIGNAL_BASE + code;
    }

    /**
     * Returns a human-readable description.
     *
     * @return "exited with 3", "killed by signal 11 (SIGSEGV)"
     */
    @Override
    public String toString() {
        if (exited) {
            return "exited with " + code;
        }
        String name = code > 0 && code < SIGNALS.length ? " (SIG" + SIGNALS[code] + ")" : "";
        return "killed by signal " + code + name + (dumped ? ", core dumped" : "");
    }
}
