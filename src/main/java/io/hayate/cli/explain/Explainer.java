// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.CommandFailure;
import io.hayate.internal.ExplainBinding;

/** A choice that the library has made, and what it tells about it. One thread at a time. */
public final class Explainer implements AutoCloseable {
    private final long handle;

    private Explainer(long handle) {
        this.handle = handle;
    }

    /**
     * Lets the library choose.
     *
     * @param question what for
     * @return to be closed
     * @throws IllegalArgumentException what was asked for does not exist or does not fit
     * @throws CommandFailure something else went wrong
     */
    public static Explainer of(Question question) {
        ExplainBinding.load();
        return new Explainer(checked(question.open()));
    }

    private static long checked(long result) {
        if (result == ExplainBinding.ARGUMENT) {
            throw new IllegalArgumentException(ExplainBinding.explainError());
        }
        if (result < 0) {
            throw new CommandFailure(ExplainBinding.explainError());
        }
        return result;
    }

    /**
     * The candidates.
     *
     * @param most so many of them
     * @return fastest first
     */
    public Choice choice(int most) {
        return Choice.of(ExplainBinding.take(checked(ExplainBinding.explainChoice(handle, most))));
    }

    /**
     * What ranks do, by the candidate that was chosen.
     *
     * @param rank whose steps; -1: everybody's
     * @param rounds runs in a row
     * @param most so many steps
     * @return in the order of ranks
     */
    public Steps steps(int rank, int rounds, long most) {
        return Steps.of(ExplainBinding.take(checked(ExplainBinding.explainSteps(handle, rank,
                rounds, most))));
    }

    /**
     * A candidate with any number of ranks.
     *
     * @param candidate its number
     * @param ranks simulated
     * @param rounds runs in a row
     * @param generate measure how long a rank takes to make its own part
     * @return what came out
     */
    public Scale scale(int candidate, int ranks, int rounds, boolean generate) {
        return Scale.of(ExplainBinding.take(checked(ExplainBinding.explainScale(handle, candidate,
                ranks, rounds, generate ? 1 : 0))));
    }

    @Override
    public void close() {
        ExplainBinding.explainClose(handle);
    }
}
