// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import io.hayate.HayateException;
import io.hayate.bench.figures.delegation.BurstsCommand;
import io.hayate.bench.figures.delegation.DelegationCommand;
import io.hayate.bench.figures.delegation.OverlapCommand;
import io.hayate.bench.figures.footprint.FootprintCommand;
import io.hayate.bench.figures.tables.TablesCommand;
import io.hayate.bench.figures.threads.ThreadsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What scripts/bench/figure.sh runs: measures the figure that the command line names. */
@Command(name = "figure.sh",
        mixinStandardHelpOptions = true,
        description = "Measures a figure of a paper, as a table, as JSON, or as a picture.",
        subcommands = {FootprintCommand.class, ThreadsCommand.class, TablesCommand.class,
            DelegationCommand.class, OverlapCommand.class, BurstsCommand.class},
        synopsisSubcommandLabel = "FIGURE")
public final class Figures {
    private Figures() {
    }

    /**
     * Measures a figure and exits: with 2 if the command line is wrong, with 1 after a failure.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Figures())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Figures::report)
                .execute(args));
    }

    /** Expected failures are reported without a stack trace. */
    private static int report(Exception e, CommandLine line, CommandLine.ParseResult parsed)
            throws Exception {
        if (!(e instanceof Failure || e instanceof HayateException)) {
            throw e;
        }
        line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + e.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }
}
