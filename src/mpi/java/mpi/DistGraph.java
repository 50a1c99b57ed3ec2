// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/**
 * What a rank knows of a distributed graph: its own neighbours. Weights are null if there are none.
 * Immutable; the arrays that it returns are not to be changed.
 */
final class DistGraph {
    /** The numbers of an edge in {@link #edges}: from, to, weight. */
    private static final int EDGE = 3;

    private final int[] sources;
    private final int[] sourceWeights;
    private final int[] destinations;
    private final int[] destinationWeights;

    private DistGraph(int[] sources, int[] sourceWeights, int[] destinations,
            int[] destinationWeights) {
        this.sources = sources;
        this.sourceWeights = sourceWeights;
        this.destinations = destinations;
        this.destinationWeights = destinationWeights;
    }

    /** A graph of which each rank of {@code ranks} gives its own neighbours. */
    static DistGraph adjacent(int[] sources, int[] sourceWeights, int[] destinations,
            int[] destinationWeights, int ranks) {
        if ((sourceWeights == null) != (destinationWeights == null)) {
            throw new MPIException(ErrorClass.ARG, "only sources or only destinations have weights:"
                    + " expected both or none");
        }
        check(sources, "source", ranks);
        checkEach(sourceWeights, "weight", sources, "source");
        check(destinations, "destination", ranks);
        checkEach(destinationWeights, "weight", destinations, "destination");
        return new DistGraph(sources.clone(), copy(sourceWeights), destinations.clone(),
                copy(destinationWeights));
    }

    private static int[] copy(int[] weights) {
        return weights == null ? null : weights.clone();
    }

    private static void check(int[] nodes, String what, int ranks) {
        for (int node : Bounds.required(nodes, "the array of " + what + "s")) {
            if (node != Constants.PROC_NULL && (node < 0 || node >= ranks)) {
                throw new MPIException(ErrorClass.ARG, what + " " + node + ": expected 0 to "
                        + (ranks - 1) + ", or MPI.PROC_NULL");
            }
        }
    }

    /** Checks that there is a number for each node, more are ignored; null: there are none. */
    private static void checkEach(int[] numbers, String number, int[] nodes, String node) {
        if (numbers == null) {
            return;
        }
        if (numbers.length < nodes.length) {
            throw new MPIException(ErrorClass.ARG, numbers.length + " " + number + "s for "
                    + nodes.length + " " + node + "s: expected one for each");
        }
        for (int i = 0; i < nodes.length; i++) {
            if (numbers[i] < 0) {
                throw new MPIException(ErrorClass.ARG,
                        number + " " + numbers[i] + " of a " + node + ": expected 0 or more");
            }
        }
    }

    /**
     * Returns any edges that a rank gives, not only its own, as triples (from, to, weight): what
     * ranks tell each other. The first degrees[0] destinations belong to sources[0], and so on.
     */
    static int[] edges(int[] sources, int[] degrees, int[] destinations, int[] weights, int ranks) {
        check(sources, "source", ranks);
        checkEach(Bounds.required(degrees, "the array of degrees"), "degree", sources, "source");
        long number = Arrays.stream(degrees, 0, sources.length).asLongStream().sum();
        if (number > Bounds.required(destinations, "the array of destinations").length) {
            throw new MPIException(ErrorClass.ARG, "degrees " + Arrays.toString(degrees) + " for "
                    + destinations.length + " destinations: expected their sum to be at most that");
        }
        int[] used = Arrays.copyOf(destinations, (int) number);
        check(used, "destination", ranks);
        checkEach(weights, "weight", used, "destination");
        int[] edges = new int[EDGE * used.length];
        int next = 0;
        for (int i = 0; i < sources.length; i++) {
            for (int end = next + degrees[i]; next < end; next++) {
                edges[EDGE * next] = sources[i];
                edges[EDGE * next + 1] = destinations[next];
                edges[EDGE * next + 2] = weights == null ? 1 : weights[next];
            }
        }
        return edges;
    }

    /** The neighbours of a rank in the edges that all ranks gave, in their order. */
    static DistGraph of(int rank, int[] edges, boolean weighted) {
        return new DistGraph(column(edges, rank, 1, 0),
                weighted ? column(edges, rank, 1, 2) : null,
                column(edges, rank, 0, 1),
                weighted ? column(edges, rank, 0, 2) : null);
    }

    /** Returns one number of each edge that has the rank at one of its ends. */
    private static int[] column(int[] edges, int rank, int end, int number) {
        int[] found = new int[edges.length / EDGE];
        int count = 0;
        for (int i = 0; i < edges.length; i += EDGE) {
            if (edges[i + end] == rank) {
                found[count++] = edges[i + number];
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Returns the ranks from which this one receives. */
    int[] sources() {
        return sources;
    }

    /** Returns the ranks to which this one sends. */
    int[] destinations() {
        return destinations;
    }

    boolean isWeighted() {
        return sourceWeights != null;
    }

    int sourceWeight(int i) {
        return isWeighted() ? sourceWeights[i] : 1;
    }

    int destinationWeight(int i) {
        return isWeighted() ? destinationWeights[i] : 1;
    }
}
