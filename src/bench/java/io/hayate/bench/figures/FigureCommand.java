// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that measures a figure. Its result is the exit status. */
public abstract class FigureCommand implements Callable<Integer> {
    /** Nanoseconds in a millisecond. */
    protected static final long NANOS_PER_MILLI = 1_000_000;
    /** The most of an option that takes milliseconds. */
    protected static final int MOST_MILLIS = 3_600_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    /**
     * Returns standard output.
     *
     * @return the writer that picocli uses
     */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Returns standard error. */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Returns whether to print JSON. */
    protected final boolean json() {
        return json;
    }

    /**
     * Makes the report of this command, which prints what {@code --json} says.
     *
     * @param title what stands above the table
     * @param columns a heading and a format for each column, such as "median us %10.3f"
     */
    protected final Report report(String title, String... columns) {
        return new Report(out(), json, title, columns);
    }

    /** Runs this command once more, in {@code ranks} ranks, which may use all CPUs. */
    protected final int runOnRanks(int ranks) {
        return Ranks.run(ranks,
                spec.root().commandLine().getParseResult().originalArgs());
    }

    /** Requires something of the command line. */
    protected final void require(boolean right, String what) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), what);
        }
    }

    /** Requires a number of an option to lie between two others. */
    protected final void requireRange(String option, long value, long least, long most) {
        require(value >= least && value <= most, option + " " + value + ": expected " + least
                + " to " + most);
    }

    /** Requires at least one word, and only words that are known. */
    protected final void requireWords(String option, List<String> words, List<String> known) {
        require(!words.isEmpty(), option + ": expected at least one of " + known);
        for (String word : words) {
            require(known.contains(word), option + " " + word + ": expected some of "
                    + String.join(",", known));
        }
    }
}
