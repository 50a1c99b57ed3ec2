// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * What is checked.
 *
 * @param collectives their names
 * @param ranks numbers of them
 * @param bytes sizes
 * @param seconds for each cell
 * @param fresh data are written before each run and read behind it
 */
public record Grid(List<String> collectives, List<Integer> ranks, List<Integer> bytes,
        double seconds, boolean fresh) {
    /** All collectives there are. */
    public static final List<String> ALL = List.of("barrier", "bcast", "reduce", "allreduce",
            "gather", "scatter", "allgather", "alltoall", "reduce_scatter");
    private static final String BARRIER = "barrier";
    /** Buffers, scratch and what the run before has not given back yet. */
    private static final int SIDES = 6;
    private static final long SLACK = 64L << 20;

    /**
     * One case.
     *
     * @param collective its name
     * @param bytes as of explain
     */
    public record Case(String collective, int bytes) { }

    /**
     * The cases of each number of ranks.
     *
     * @return collective by collective
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
     * All cells.
     *
     * @return number of them
     */
    public int cells() {
        return cases().size() * ranks.size();
    }

    /**
     * The estimate, for people.
     *
     * @return a sentence
     */
    public String describe() {
        return cells() + " cells of " + seconds + " s each: about "
                + ProgressBar.about(cells() * seconds);
    }

    /**
     * Heap of a rank that suffices.
     *
     * @param count ranks of the job
     * @return bytes
     */
    public long heap(int count) {
        long most = bytes.stream().mapToLong(Integer::longValue).max().orElse(0);
        return SLACK + SIDES * most * count;
    }
}
