// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.explain.Candidate;
import io.hayate.cli.explain.Choice;
import io.hayate.cli.explain.Explainer;
import io.hayate.cli.explain.Micros;
import io.hayate.cli.explain.Steps;
import io.hayate.cli.explain.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes the pictures of {@code hayate explain}. */
final class Picture {
    /** The largest number of ranks in a picture of steps. */
    static final int MOST_RANKS = Timeline.MOST_RANKS;

    private Picture() {
    }

    /** Checks the file name early, so that a long simulation is not lost. */
    static void check(Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
            throw new CommandFailure(file + ": only SVG is supported; use a name that ends in .svg"
                    + " (rsvg-convert or a browser can convert it to PNG)");
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new CommandFailure(file + ": there is no directory " + directory);
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory) || Files.isDirectory(file)) {
            throw new CommandFailure(file + ": cannot be written");
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandFailure(file + ": cannot be written: " + e.getMessage());
        }
    }

    /** Draws the steps of all ranks of the chosen candidate. */
    static String ofSteps(Choice choice, Explainer explainer, int rounds) {
        Steps steps = explainer.steps(-1, rounds, Timeline.MOST_STEPS);
        if (steps.run().isEmpty() || steps.more() > 0) {
            throw new CommandFailure("--svg: more than " + Timeline.MOST_STEPS
                    + " steps are not readable; use fewer ranks, bytes or --rounds");
        }
        Choice.Ask ask = choice.ask();
        Candidate chosen = choice.chosen();
        String title = ExplainText.what(ask) + ": " + chosen.algorithm();
        String what = chosen.title() + "; " + chosen.way() + "; "
                + (rounds > 1 ? rounds + " runs" : "first run")
                + ", predicted " + Micros.text(steps.end()) + ", "
                + steps.run().get().load().signals() + " signals and "
                + ByteSizes.rounded(steps.run().get().load().bytes()) + " moved per run";
        return new Timeline(title, List.of(what + "; " + ExplainText.model(choice.model())),
                ask.ranks(), steps).draw();
    }
}
