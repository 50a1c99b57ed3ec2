// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Cartesian;
import io.hayate.Codec;
import io.hayate.HaloExchange;
import io.hayate.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Grids of ranks, halo exchanges and values, over every way between ranks. */
final class GridScenarios {
    @Scenario
    static void should_fill_halos(Rank rank) throws Exception {
        for (int dimensions = 1; dimensions <= 3; dimensions++) {
            for (boolean corners : new boolean[] {false, true}) {
                Random random = new Random(dimensions);
                Cartesian grid = Cartesian.of(
                        rank.fmpl.world(), new int[dimensions], new boolean[dimensions]);
                try (HaloModel model = new HaloModel(rank.job, grid, random, corners);
                        HaloExchange halo = model.open(2)) {
                    for (int round = 0; round < 3; round++) {
                        model.fill(round);
                        halo.exchange();
                        model.check(round);
                    }
                }
            }
        }
    }

    @Scenario
    static void should_exchange_in_rows(Rank rank) throws Exception {
        Cartesian grid = Cartesian.of(rank.fmpl.world(), new int[2]);
        try (Cartesian row = grid.along(1);
                HaloModel model = new HaloModel(rank.job, row, new Random(5), false);
                HaloExchange halo = model.open(0)) {
            model.fill(1);
            halo.exchange();
            model.check(1);
        }
    }

    @Scenario
    static void should_carry_values(Rank rank) {
        Values<String> values = Values.of(rank.fmpl, 1, Codec.strings());
        String mine = Integer.toString(rank.me).repeat(1 + 5000 * (rank.me % 3));
        List<String> all = values.allgather(mine);
        List<String> gathered = values.gather(mine, 0);
        Rank.check(gathered.equals(rank.me == 0 ? all : List.of()), "gathered");
        for (int other = 0; other < rank.size; other++) {
            String expected = Integer.toString(other).repeat(1 + 5000 * (other % 3));
            Rank.check(all.get(other).equals(expected), "value of rank " + other);
        }
        byte[] large = new byte[600_000];
        Arrays.fill(large, (byte) 7);
        Values<byte[]> bytes = Values.of(rank.fmpl, 2, Codec.bytes());
        if (rank.me == 0 && rank.size > 1) {
            bytes.send(large, 1);
        } else if (rank.me == 1) {
            Rank.check(Arrays.equals(large, bytes.recv(0)), "a long value");
        }
    }
}
