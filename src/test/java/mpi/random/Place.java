// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;

/** A communicator that all ranks have, or one for each group of them. */
final class Place {
    final Comm comm;
    final boolean inter;
    private final String name;
    /** The group of each rank of the world. */
    private final int[] groups;
    /** The world's ranks in this process's own group, and in the one it sends to, in order. */
    private final int[] local;
    private final int[] remote;

    private Place(String name, Comm comm, boolean inter, int[] groups, boolean reversed) {
        this.name = name;
        this.comm = comm;
        this.inter = inter;
        this.groups = groups;
        int own = groups[MPI.COMM_WORLD.getRank()];
        local = members(own, reversed);
        remote = inter ? members(1 - own, reversed) : local;
    }

    /** Made by all ranks: the world, a duplicate, its halves, and what joins the halves. */
    static List<Place> make() {
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int size = world.getSize();
        int[] one = new int[size];
        int[] halves = IntStream.range(0, size).map(each -> each % 2).toArray();
        Intracomm half = world.split(rank % 2, size - rank);
        List<Place> places = new ArrayList<>(List.of(new Place("world", world, false, one, false),
                new Place("duplicate", world.dup(), false, one, false),
                new Place("half", half, false, halves, true)));
        if (size > 1) {
            int other = rank % 2 == 0 ? (size - 2) / 2 * 2 + 1 : (size - 1) / 2 * 2;
            places.add(new Place("between halves", world.createIntercomm(half, 0, other, 77), true,
                    halves, true));
        }
        return places;
    }

    static void free(List<Place> places) {
        places.stream().map(place -> place.comm).filter(comm -> comm != MPI.COMM_WORLD)
                .forEach(Comm::free);
    }

    private int[] members(int group, boolean reversed) {
        int last = groups.length - 1;
        return IntStream.rangeClosed(0, last).map(i -> reversed ? last - i : i)
                .filter(each -> groups[each] == group).toArray();
    }

    /** The world's ranks to which one of them can send. */
    int[] targets(int from) {
        return IntStream.range(0, groups.length)
                .filter(to -> groups[to] == groups[from] != inter).toArray();
    }

    /** The world's ranks by groups, each in the order of the communicator of halves or of all. */
    List<int[]> parts() {
        return IntStream.of(groups).distinct().sorted().mapToObj(each -> members(each, false))
                .toList();
    }

    int rankOf(int world) {
        for (int i = 0; i < remote.length; i++) {
            if (remote[i] == world) {
                return i;
            }
        }
        throw new AssertionError("no message goes from here to rank " + world);
    }

    int sourceOf(int world) {
        return world == Receipt.ANY ? MPI.ANY_SOURCE : rankOf(world);
    }

    int world(int rank) {
        return remote[rank];
    }

    int[] local() {
        return local;
    }

    int[] remote() {
        return remote;
    }

    @Override
    public String toString() {
        return name;
    }
}
