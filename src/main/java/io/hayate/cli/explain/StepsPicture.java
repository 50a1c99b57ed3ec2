// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.output.ByteSizes;
import java.util.List;

/** The picture of the steps of a collective: {@code hayate explain --svg}. */
final class StepsPicture {
    /** The largest number of ranks in a picture of steps. */
    static final int MOST_RANKS = Timeline.MOST_RANKS;

    private StepsPicture() {
    }

    /** Draws the steps of all ranks of the chosen candidate. */
    static String draw(Choice choice, Explainer explainer, int rounds) {
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
