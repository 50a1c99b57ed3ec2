// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.CollectivesProgram.check;

import java.nio.IntBuffer;
import java.util.Arrays;

/** The collectives of {@link CollectivesProgram} on topologies, and between two groups. */
final class CollectivesNeighbors {
    private static final int NOTHING = -1;

    private CollectivesNeighbors() {
    }

    static void run(Intracomm world) {
        onGrid(world, true);
        onGrid(world, false);
        onGraph(world);
        betweenGroups(world);
    }

    private static Intracomm with(Intracomm world, int topology, int[] sources,
            int[] destinations) {
        Intracomm comm = new Intracomm() {
            @Override
            int topology() {
                return topology;
            }

            @Override
            int[] sources() {
                return sources;
            }

            @Override
            int[] destinations() {
                return destinations;
            }
        };
        comm.become(world.engine, world.collectives);
        return comm;
    }

    /** A line or a ring of all ranks: each sends 10 * rank down, and one more up. */
    private static void onGrid(Intracomm world, boolean ring) {
        int rank = world.getRank();
        int[] both = new CartGrid(new int[] {world.getSize()}, new boolean[] {ring})
                .neighbors(rank);
        Intracomm comm = with(world, Constants.CART, both, both);
        int below = both[0] < 0 ? NOTHING : 10 * both[0] + 1;
        int above = both[1] < 0 ? NOTHING : 10 * both[1];
        int[] sent = {10 * rank, 10 * rank + 1};
        int[] got = {NOTHING, NOTHING};
        comm.neighborAllToAll(sent, 1, Types.INT, got, 1, Types.INT);
        expect(got, below, above);
        IntBuffer buffer = IntBuffer.wrap(new int[] {NOTHING, NOTHING});
        comm.iNeighborAllToAll(IntBuffer.wrap(sent), 1, Types.INT, buffer, 1, Types.INT).waitFor();
        expect(buffer.array(), below, above);
        int[] reversed = {NOTHING, NOTHING};
        comm.neighborAllToAllv(sent, new int[] {1, 1}, new int[] {0, 1}, Types.INT, reversed,
                new int[] {1, 1}, new int[] {1, 0}, Types.INT);
        expect(reversed, above, below);
        int[] same = {NOTHING, NOTHING};
        comm.neighborAllGather(sent, 1, Types.INT, same, 1, Types.INT);
        expect(same, both[0] < 0 ? NOTHING : 10 * both[0], above);
        comm.free();
    }

    private static void expect(int[] got, int... expected) {
        check(Arrays.equals(got, expected), "the neighbours sent " + Arrays.toString(got)
                + ", expected " + Arrays.toString(expected));
    }

    /** All send to rank 0, which sends to nobody. */
    private static void onGraph(Intracomm world) {
        int rank = world.getRank();
        int size = world.getSize();
        int[] all = new int[size];
        Arrays.setAll(all, i -> i);
        Intracomm comm = with(world, Constants.DIST_GRAPH, rank == 0 ? all : new int[0],
                new int[] {0});
        int[] got = new int[size];
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        comm.neighborAllGatherv(new int[] {rank + 1}, 1, Types.INT, got, ones, all, Types.INT);
        int[] expected = new int[size];
        Arrays.setAll(expected, i -> rank == 0 ? i + 1 : 0);
        expect(got, expected);
        comm.free();
    }

    /** Two groups of the same ranks: each rank gets what the other group has, itself included. */
    private static void betweenGroups(Intracomm world) {
        int rank = world.getRank();
        int size = world.getSize();
        Comm comm = new Comm();
        comm.become(world.engine, world.collectives, world.engine.openOn(world.collectives),
                world.engine.openOn(world.collectives), world.members,
                new Members(world.members.worlds()));
        int[] got = new int[size];
        int[] expected = new int[size];
        comm.barrier();
        comm.allGather(new int[] {rank}, 1, Types.INT, got, 1, Types.INT);
        Arrays.setAll(expected, i -> i);
        expect(got, expected);
        int[] sum = new int[1];
        comm.allReduce(new int[] {rank}, sum, 1, Types.INT, Ops.SUM);
        expect(sum, size * (size - 1) / 2);
        int[] part = new int[1];
        int[] data = new int[size];
        Arrays.setAll(data, i -> i + rank);
        comm.reduceScatterBlock(data, part, 1, Types.INT, Ops.SUM);
        expect(part, size * rank + size * (size - 1) / 2);
        int[] to = new int[size];
        comm.allToAll(data, 1, Types.INT, to, 1, Types.INT);
        Arrays.setAll(expected, i -> i + rank);
        expect(to, expected);
        comm.free();
    }
}
