// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that checks more than the types of its options. Its result is the exit status. */
public abstract class CheckedCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    protected PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected PrintWriter err() {
        return spec.commandLine().getErr();
    }

    protected ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    protected void require(boolean right, String what) {
        if (!right) {
            throw wrong(what);
        }
    }

    protected void requireRange(String option, long value, long least, long most, String unit) {
        require(value >= least && value <= most, option + " " + value + ": expected " + least
                + " to " + most + unit);
    }

    protected void requireRange(String option, long value, long least, long most) {
        requireRange(option, value, least, most, "");
    }
}
