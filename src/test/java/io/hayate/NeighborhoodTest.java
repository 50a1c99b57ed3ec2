// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Tests what a neighbourhood refuses, what it tells, and neighbours of grids. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NeighborhoodTest {
    private static void refused(String text, Executable call) {
        String told = assertThrows(ArgumentException.class, call).getMessage();
        assertTrue(told.contains(text), told);
    }

    @Test
    void should_refuse_lists_that_name_no_member() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Communicator world = fmpl.world();
            int[] self = {0};
            refused("sources", () -> world.neighbors(null, self));
            refused("destinations[1] is 1: expected a member, 0 to 0, or NO_RANK",
                    () -> world.neighbors(self, new int[] {0, 1}));
            refused("sources[0] is -1", () -> world.neighbors(new int[] {-1}, self));
            MismatchException told = assertThrows(MismatchException.class,
                    () -> world.neighbors(self, new int[] {0, 0}));
            assertEquals("rank 0 names this rank 2 times as a destination, but this rank names rank"
                    + " 0 1 time as a source: expected as often", told.reason());
        }
    }

    @Test
    void should_refuse_blocks_that_do_not_fit_to_the_lists() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Neighborhood near = fmpl.world().neighbors(new int[] {0, 0}, new int[] {0, 0});
            assertArrayEquals(new int[] {0, 0}, near.sources());
            assertEquals("neighbourhood from [0, 0] to [0, 0]", near.toString());
            Span two = Span.of(new byte[2]);
            Span[] spans = {two, two};
            long[] sizes = {1, 1};
            refused("sizes of sources: 1 given, expected one for each of 2",
                    () -> near.alltoallv(two, sizes, null, two, new long[1], null));
            refused("offsets of destinations: 3 given",
                    () -> near.alltoallv(two, sizes, new long[3], two, sizes, null));
            refused("blocks of destinations: 1 given",
                    () -> near.alltoallw(new Span[1], spans));
            refused("in has 3 bytes: expected a multiple of the 2 neighbours",
                    () -> near.alltoall(Span.of(new byte[3]), Span.of(new byte[4])));
            assertThrows(ArgumentException.class, () -> near.alltoall(two, Span.of(new byte[1])));
            assertThrows(ArgumentException.class, () -> near.alltoall(two, null));
            assertThrows(ArgumentException.class, () -> near.iallgather(null, two));
            assertThrows(ArgumentException.class,
                    () -> near.allgatherv(two, two, new long[] {-1, 1}, null));
            assertThrows(ArgumentException.class,
                    () -> near.prepareAlltoall(two, Span.of(new byte[2]), null));
            refused("multiple of 8 for LONG", () -> near.alltoallv(Span.of(new long[2]),
                    new long[] {1, 15}, null, Span.of(new byte[16]), new long[] {1, 15}, null));
            byte[] out = new byte[2];
            near.alltoall(Span.of(new byte[] {1, 2}), Span.of(out));
            assertArrayEquals(new byte[] {1, 2}, out);
        }
    }

    /** Each of several memories is protected, and a failure that is local changes nothing. */
    @Test
    void should_hold_the_memory_of_spans_until_they_are_exchanged() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Neighborhood near = fmpl.world().neighbors(new int[] {0, 0}, new int[] {0, 0});
            HeapSpan first = job.allocate(8);
            HeapSpan second = job.allocate(8);
            Span[] in = {first, second};
            byte[] out = new byte[16];
            Span[] to = {Span.of(out, 0, 8), Span.of(out, 8, 8)};
            try (PersistentOperation made = near.prepareAlltoallw(in, to, CollOptions.AUTO)) {
                assertThrows(BusyException.class, second::close);
                second.putByte(7, (byte) 5);
                made.start();
                made.await();
                assertEquals(5, out[15]);
            }
            Request started = near.ialltoallw(in, to);
            assertThrows(BusyException.class, second::close);
            started.await();
            second.close();
            assertThrows(ClosedException.class, () -> near.alltoallw(in, to));
            assertThrows(ClosedException.class, () -> near.ialltoallw(in, to));
            first.close();
        }
    }

    @Test
    void should_keep_the_direction_where_both_neighbours_are_the_same_rank() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            int me = job.rank();
            Cartesian grid = Cartesian.of(fmpl.world(), new int[] {2, 1}, true, true);
            Neighborhood near = grid.neighbors();
            assertArrayEquals(new int[] {1 - me, 1 - me, me, me}, near.sources());
            byte[] in = {(byte) (10 * me), (byte) (10 * me + 1), (byte) (10 * me + 2),
                (byte) (10 * me + 3)};
            byte[] out = new byte[4];
            int other = 10 * (1 - me);
            near.alltoall(Span.of(in), Span.of(out));
            assertArrayEquals(new byte[] {(byte) (other + 1), (byte) other, (byte) (10 * me + 3),
                (byte) (10 * me + 2)}, out);
        });
    }

    @Test
    void should_leave_the_blocks_beyond_an_edge_alone() throws Exception {
        ThreadJob.run(3, (job, fmpl) -> {
            int me = job.rank();
            Neighborhood line =
                    Cartesian.of(fmpl.world(), new int[] {3}, false).neighbors();
            int[] out = {-7, -7};
            line.allgather(Span.of(new int[] {me}), Span.of(out));
            assertArrayEquals(new int[] {me == 0 ? -7 : me - 1, me == 2 ? -7 : me + 1}, out);
        });
    }

    @Test
    void should_tell_a_neighbour_whose_block_has_another_length() throws Exception {
        ThreadJob.runApart(2, (job, fmpl) -> {
            int other = 1 - job.rank();
            Neighborhood near = fmpl.world().neighbors(new int[] {other}, new int[] {other});
            long[] sent = {job.rank() == 0 ? 24 : 16};
            MismatchException told = assertThrows(MismatchException.class,
                    () -> near.prepareAlltoallv(Span.of(new byte[24]), sent, null,
                            Span.of(new byte[24]), new long[] {16}, null, CollOptions.AUTO));
            assertEquals(other, told.peer());
        });
    }
}
