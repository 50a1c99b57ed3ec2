// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.ExplainBinding;
import io.hayate.internal.natives.ToolsLibrary;

/** A choice of the library, and its explanation. Only one thread may use it at a time. */
public final class Explainer implements AutoCloseable {
    private final long handle;

    private Explainer(long handle) {
        this.handle = handle;
    }

    /**
     * Lets the library choose.
     *
     * @param question the request
     * @return the explainer; the caller closes it
     * @throws IllegalArgumentException if the request names something that does not exist or does
     *     not fit
     * @throws CommandFailure after any other failure
     */
    public static Explainer of(Question question) {
        ToolsLibrary.load();
        return new Explainer(checked(question.open()));
    }

    private static long checked(long result) {
        if (result == ExplainBinding.ARGUMENT) {
            throw new IllegalArgumentException(ToolsLibrary.error());
        }
        if (result < 0) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        return result;
    }

    /**
     * Returns the candidates.
     *
     * @param most the largest number of them
     * @return fastest first
     */
    public Choice choice(int most) {
        return Choice.of(ExplainBinding.take(checked(ExplainBinding.explainChoice(handle, most))));
    }

    /**
     * Returns the steps of the chosen candidate.
     *
     * @param rank the rank of the steps; -1: all ranks
     * @param rounds number of successive runs
     * @param most the largest number of steps
     * @return in the order of ranks
     */
    public Steps steps(int rank, int rounds, long most) {
        return Steps.of(ExplainBinding.take(checked(ExplainBinding.explainSteps(handle, rank,
                rounds, most))));
    }

    /**
     * Simulates a candidate with any number of ranks.
     *
     * @param candidate its number
     * @param ranks number of ranks to simulate
     * @param rounds number of successive runs
     * @param generate whether to measure how long a rank takes to generate its part
     * @return the result
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
