// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests graphs that every rank knows, and graphs of which a rank knows its neighbours. */
class GraphTest {
    /** The example of the standard: 0 with 1 and 3, 2 with 3. */
    private static final int[] INDEX = {2, 3, 4, 6};
    private static final int[] EDGES = {1, 3, 0, 3, 0, 2};

    @Test
    void should_know_the_neighbors_of_every_rank() {
        Graph graph = new Graph(INDEX, EDGES);
        assertEquals(4, graph.size());
        assertArrayEquals(new int[] {1, 3}, graph.neighbors(0));
        assertArrayEquals(new int[] {0}, graph.neighbors(1));
        assertArrayEquals(new int[] {0, 2}, graph.neighbors(3));
        Refused.with(ErrorClass.RANK, () -> graph.neighbors(4));
        Refused.with(ErrorClass.RANK, () -> graph.neighbors(-1));
        assertEquals(3, graph.map(3));
        assertEquals(Constants.UNDEFINED, graph.map(4));
        Refused.with(ErrorClass.ARG, () -> graph.requireFits(3));
        assertEquals(4, graph.requireFits(5).size());
    }

    @Test
    void should_describe_itself() {
        GraphParms parms = new Graph(INDEX, EDGES).parms();
        assertArrayEquals(INDEX, parms.index);
        assertArrayEquals(EDGES, parms.edges);
        assertEquals(4, parms.getIndexCount());
        assertEquals(6, parms.getEdgeCount());
        assertEquals(3, parms.getIndex(1));
        assertEquals(3, parms.getEdge(1));
        Refused.with(ErrorClass.ARG, () -> parms.getIndex(4));
        Refused.with(ErrorClass.ARG, () -> parms.getEdge(-1));
        assertEquals(0, new GraphParms().getIndexCount());
    }

    @Test
    void should_allow_loops_multiple_edges_and_lonely_nodes() {
        Graph graph = new Graph(new int[] {3, 3}, new int[] {0, 1, 1, 99});
        assertArrayEquals(new int[] {0, 1, 1}, graph.neighbors(0));
        assertEquals(0, graph.neighbors(1).length);
        assertEquals(0, new Graph(new int[0], new int[0]).size());
    }

    @Test
    void should_refuse_wrong_arrays() {
        Refused.with(ErrorClass.ARG, () -> new Graph(new int[] {2, 1}, new int[] {0, 1}));
        Refused.with(ErrorClass.ARG, () -> new Graph(new int[] {-1}, new int[] {}));
        Refused.with(ErrorClass.ARG, () -> new Graph(new int[] {1, 3}, new int[] {0, 1}));
        Refused.with(ErrorClass.ARG, () -> new Graph(new int[] {1, 2}, new int[] {0, 2}));
        Refused.with(ErrorClass.ARG, () -> new Graph(new int[] {1, 2}, new int[] {-1, 1}));
        Refused.with(ErrorClass.ARG, () -> new Graph(null, EDGES));
        Refused.with(ErrorClass.ARG, () -> new Graph(INDEX, null));
    }

    @Test
    void should_know_neighbors_that_a_rank_gives() {
        int[] sources = {3, 1, 1};
        DistGraph graph = DistGraph.adjacent(sources, new int[] {7, 8, 9}, new int[] {2},
                new int[] {0}, 4);
        sources[0] = 0;
        DistGraphNeighbors neighbors = new DistGraphNeighbors(graph);
        assertEquals(3, neighbors.getInDegree());
        assertEquals(1, neighbors.getOutDegree());
        assertTrue(neighbors.isWeighted());
        assertEquals(3, neighbors.getSource(0));
        assertEquals(9, neighbors.getSourceWeight(2));
        assertEquals(2, neighbors.getDestination(0));
        assertEquals(0, neighbors.getDestinationWeight(0));
        Refused.with(ErrorClass.ARG, () -> neighbors.getSource(3));
        Refused.with(ErrorClass.ARG, () -> neighbors.getSourceWeight(-1));
        Refused.with(ErrorClass.ARG, () -> neighbors.getDestination(1));
        Refused.with(ErrorClass.ARG, () -> neighbors.getDestinationWeight(1));
    }

    @Test
    void should_have_weight_one_without_weights() {
        DistGraphNeighbors neighbors = new DistGraphNeighbors(
                DistGraph.adjacent(new int[] {0}, null, new int[] {0}, null, 1));
        assertFalse(neighbors.isWeighted());
        assertEquals(1, neighbors.getSourceWeight(0));
        assertEquals(1, neighbors.getDestinationWeight(0));
    }

    private static void refuse(int[] sources, int[] weights, int[] destinations) {
        Refused.with(ErrorClass.ARG, () -> DistGraph.adjacent(sources, weights, destinations,
                weights == null ? null : new int[destinations.length], 4));
    }

    @Test
    void should_refuse_wrong_neighbors() {
        int[] none = {};
        refuse(new int[] {4}, null, none);
        refuse(none, null, new int[] {-1});
        refuse(null, null, none);
        refuse(none, null, null);
        refuse(new int[] {1}, none, none);
        refuse(new int[] {1}, new int[] {-1}, none);
        Refused.with(ErrorClass.ARG, () -> DistGraph.edges(new int[] {0}, new int[] {2},
                new int[] {1}, null, 4));
        Refused.with(ErrorClass.ARG, () -> DistGraph.adjacent(none, none, none, null, 4));
    }

    @Test
    void should_ignore_numbers_behind_those_that_are_needed() {
        DistGraph graph = DistGraph.adjacent(new int[] {1}, new int[] {5, -1}, new int[0],
                new int[] {-1}, 4);
        assertEquals(5, graph.sourceWeight(0));
        assertArrayEquals(new int[] {3, 1, 7}, DistGraph.edges(new int[] {3}, new int[] {1, 9},
                new int[] {1, 99}, new int[] {7, -1}, 4));
    }

    @Test
    void should_assemble_neighbors_from_edges_of_all_ranks() {
        int[] ofRank0 = DistGraph.edges(new int[] {0, 2}, new int[] {2, 1}, new int[] {1, 2, 0},
                new int[] {5, 6, 7}, 3);
        assertArrayEquals(new int[] {0, 1, 5, 0, 2, 6, 2, 0, 7}, ofRank0);
        int[] ofRank1 = DistGraph.edges(new int[] {1}, new int[] {1}, new int[] {0}, null, 3);
        int[] all = new int[12];
        System.arraycopy(ofRank0, 0, all, 0, 9);
        System.arraycopy(ofRank1, 0, all, 9, 3);
        DistGraph zero = DistGraph.of(0, all, true);
        assertArrayEquals(new int[] {2, 1}, zero.sources());
        assertArrayEquals(new int[] {1, 2}, zero.destinations());
        assertEquals(7, zero.sourceWeight(0));
        assertEquals(6, zero.destinationWeight(1));
        DistGraph one = DistGraph.of(1, all, false);
        assertArrayEquals(new int[] {0}, one.sources());
        assertArrayEquals(new int[] {0}, one.destinations());
        assertFalse(one.isWeighted());
    }

    private static void refuseEdges(int[] sources, int[] degrees, int[] destinations) {
        Refused.with(ErrorClass.ARG,
                () -> DistGraph.edges(sources, degrees, destinations, null, 3));
    }

    @Test
    void should_refuse_wrong_edges() {
        int[] one = {1};
        refuseEdges(new int[] {3}, one, one);
        refuseEdges(one, new int[] {-1}, one);
        refuseEdges(one, new int[] {2}, one);
        refuseEdges(one, one, new int[] {3});
        refuseEdges(one, null, one);
        refuseEdges(one, one, null);
        Refused.with(ErrorClass.ARG, () -> DistGraph.edges(one, one, one, new int[0], 3));
    }
}
