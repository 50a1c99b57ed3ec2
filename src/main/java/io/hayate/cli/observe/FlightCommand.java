// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.command.CheckedCommand;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Version;
import io.hayate.cli.output.Printable;
import io.hayate.internal.bindings.FlightBinding;
import io.hayate.internal.natives.ToolsLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hayate flight}: shows the last operations of ranks, also of dead ones. */
@Command(name = "flight",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Shows the last operations of ranks, also after their death. The job must"
                + " have been started with HAYATE_FLIGHT=on, or with the absolute path of a"
                + " directory.",
            "Of several ranks, it also tells the last collective that each has reached on the world"
                    + " communicator, and who is behind."},
        footerHeading = "%nExamples:%n",
        footer = {"  HAYATE_FLIGHT=on hayate run -n 4 -- java -cp solver.jar Solver",
            "  hayate flight /tmp/hayate-flight-4711-a1b2c3", "  hayate flight 4712 --last 5"})
public final class FlightCommand extends CheckedCommand {
    private static final int MOST = 1_000_000;

    @Parameters(paramLabel = "PID|FILE|DIR", description = "Process of a rank, or of hayate run for"
            + " all ranks of this node, alive or dead, or of a program that has started it; the"
            + " file of a rank; or a directory.")
    private String place;

    @Option(names = "--last", paramLabel = "N", description = "Show the last N operations of a rank"
            + " (default ${DEFAULT-VALUE}), and those that have not ended.")
    private int last = 20;

    @Option(names = "--json", description = "Print one JSON object for each rank, and one for each"
            + " operation.")
    private boolean json;

    @Override
    public Integer call() {
        requireRange("--last", last, 1, MOST);
        ToolsLibrary.load();
        List<FlightBinding.View> views = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (Path file : FlightFiles.of(place)) {
            try {
                views.add(read(file));
            } catch (CommandFailure e) {
                errors.add(e.getMessage());
            }
        }
        views.sort(Comparator.comparingInt(FlightBinding.View::rank)
                .thenComparingInt(FlightBinding.View::pid));
        out().print(json ? FlightReport.json(views, last) : FlightReport.text(views, last));
        out().flush();
        errors.forEach(error -> err().println("hayate flight: "
                + Printable.of(error)));
        err().flush();
        return errors.isEmpty() ? 0 : CommandFailure.EXIT_CODE;
    }

    private static FlightBinding.View read(Path file) {
        long view = FlightBinding.flightOpen(file.toString());
        if (view < 0) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        try {
            return FlightBinding.view(view);
        } finally {
            FlightBinding.flightClose(view);
        }
    }
}
