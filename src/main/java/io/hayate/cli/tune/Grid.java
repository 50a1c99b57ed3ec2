// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * The grid of a check.
 *
 * @param collectives names of the collectives
 * @param ranks numbers of ranks
 * @param bytes sizes
 * @param seconds time for each cell
 * @param fresh whether data are written before each run and read after it
 * @param measured whether the choices are those by measurement, not those of the model
 */
public record Grid(List<String> collectives, List<Integer> ranks, List<Integer> bytes,
        double seconds, boolean fresh, boolean measured) {
    /** All collectives. */
    public static final List<String> ALL = List.of("barrier", "bcast", "reduce", "allreduce",
            "gather", "scatter", "allgather", "alltoall", "reduce_scatter");
    private static final String BARRIER = "barrier";
    /** Room for buffers, scratch memory and memory of the previous run that is not freed yet. */
    private static final int SIDES = 6;
    private static final long SLACK = 64L << 20;

    /**
     * One case.
     *
     * @param collective its name
     * @param bytes size as in explain
     */
    public record Case(String collective, int bytes) { }

    /**
     * Returns the cases of each number of ranks.
     *
     * @return the cases, ordered by collective
     */
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String collective : collectives) {
            List<Integer> sizes = collective.equals(BARRIER) ? List.of(0) : bytes;
            sizes.forEach(size -> cases.add(new Case(collective, size)));
        }
        return cases;
    }

    /**
     * Returns the number of cells.
     *
     * @return the number
     */
    public int cells() {
        return cases().size() * ranks.size();
    }

    /**
     * Describes the estimated time.
     *
     * @return a sentence
     */
    public String describe() {
        return cells() + " cells of " + seconds + " s each: about "
                + ProgressBar.about(cells() * seconds);
    }

    /**
     * Returns a heap size of a rank that is sufficient.
     *
     * @param count ranks of the job
     * @return bytes
     */
    public long heap(int count) {
        long most = bytes.stream().mapToLong(Integer::longValue).max().orElse(0);
        return SLACK + SIDES * most * count;
    }
}
