// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Places in files by random filetypes, against the definitions of the standard byte by byte. */
class FileMapTest {
    private static final int SEEDS = 20_000;
    private static final int TILES = 4;
    private static final List<Datatype> BASIC = List.of(Types.BYTE, Types.SHORT, Types.INT,
            Types.DOUBLE, Types.SHORT_INT, Types.FLOAT_COMPLEX);

    static ReferenceMap ofSeed(int seed) {
        Random random = new Random(seed);
        ReferenceMap map = ReferenceMap.of(BASIC.get(random.nextInt(BASIC.size())));
        for (int depth = random.nextInt(4); depth > 0; depth--) {
            map = ReferenceMap.derived(map, random);
        }
        if (random.nextBoolean()) {
            map = ReferenceMap.struct(map, ReferenceMap.of(Types.INT), random);
            map = random.nextBoolean() ? map : ReferenceMap.derived(map, random);
        }
        map.type.commit();
        return map;
    }

    static boolean isAccepted(Datatype filetype, boolean writable) {
        try {
            ViewTypes.check(Types.BYTE, filetype, writable);
            return true;
        } catch (MPIException refused) {
            assertEquals(ErrorClass.TYPE, refused.getErrorClass());
            return false;
        }
    }

    private static boolean isStretched(ReferenceMap reference, long[] one) {
        return one.length == 0 || one[0] >= 0 && reference.extent() > 0
                && Arrays.stream(one).allMatch(place -> place >= 0);
    }

    @Test
    void should_accept_filetypes_for_writing_whose_bytes_follow_each_other() {
        int accepted = 0;
        int overlapping = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            long[] one = reference.places(1);
            boolean ordered = isStretched(reference, one)
                    && IntStream.range(1, one.length).allMatch(i -> one[i - 1] < one[i]);
            long[] two = reference.places(2);
            boolean expected = ordered && Arrays.stream(two).distinct().count() == two.length;
            assertEquals(expected, isAccepted(reference.type, true), "seed " + seed);
            accepted += expected ? 1 : 0;
            overlapping += ordered && !expected ? 1 : 0;
        }
        assertTrue(overlapping > 20, overlapping + " types overlap their next copy");
        assertTrue(accepted > SEEDS / 4 && accepted < SEEDS * 9 / 10, accepted + " accepted");
    }

    @Test
    void should_accept_filetypes_for_reading_whose_elements_do_not_go_back() {
        int overlapping = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            List<ReferenceMap.Entry> entries = reference.entries;
            if (isStretched(reference, reference.places(1)) && IntStream.range(1, entries.size())
                    .allMatch(i -> entries.get(i - 1).offset() <= entries.get(i).offset())) {
                assertTrue(isAccepted(reference.type, false), "seed " + seed);
                overlapping += isAccepted(reference.type, true) ? 0 : 1;
            }
        }
        assertTrue(overlapping > 20, overlapping + " overlapping types");
    }

    private static long[] walked(FileMap map, long from, long bytes) {
        LongStream.Builder places = LongStream.builder();
        map.walk(from, bytes, (at, length) -> {
            LongStream.range(at, at + length).forEach(places::add);
            return true;
        });
        return places.build().toArray();
    }

    @Test
    void should_visit_the_places_of_any_part_of_the_stream() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            Random random = new Random(seed);
            long disp = random.nextInt(3) * 17L;
            long[] all = Arrays.stream(reference.places(TILES)).map(p -> p + disp).toArray();
            if (all.length == 0 || !isAccepted(reference.type, false)) {
                continue;
            }
            FileMap map = new FileMap(disp, reference.type.map);
            int from = random.nextInt(all.length);
            int to = from + random.nextInt(all.length - from + 1);
            long[] part = Arrays.copyOfRange(all, from, to);
            assertArrayEquals(part, walked(map, from, to - from), "seed " + seed);
            assertEquals(all[from], map.place(from), "seed " + seed);
            assertTrue(Arrays.stream(part).allMatch(p -> p >= map.begin(from)), "seed " + seed);
            assertTrue(Arrays.stream(part).allMatch(p -> p < map.end(from, part.length)));
        }
    }

    @Test
    void should_stop_when_the_visitor_has_enough() {
        Datatype blocks = Datatype.Vector(5, 2, 4, Types.INT);
        FileMap map = new FileMap(0, blocks.map);
        int[] calls = {0};
        map.walk(4, 300, (at, bytes) -> ++calls[0] < 3);
        assertEquals(3, calls[0]);
    }

    /** The end in the view of a file of some length: all places from there on are behind it. */
    @Test
    void should_find_the_end_of_a_file_in_the_view() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            Random random = new Random(seed);
            long[] all = reference.places(TILES);
            if (all.length == 0 || !isAccepted(reference.type, true)) {
                continue;
            }
            long disp = random.nextInt(40);
            long limit = random.nextInt((int) (disp + (TILES - 1) * reference.extent()) + 1);
            int end = all.length;
            while (end > 0 && all[end - 1] + disp >= limit) {
                end--;
            }
            FileMap map = new FileMap(disp, reference.type.map);
            assertEquals(end, map.bytesBelow(limit), "seed " + seed + ", limit " + limit);
        }
    }

    @Test
    void should_reach_places_far_beyond_two_gigabytes() {
        Datatype every = Datatype.createResized(Types.INT, 0, 1 << 30);
        every.commit();
        FileMap map = new FileMap(5, every.map);
        assertEquals(5 + (1L << 30) * (1L << 32) + 2, map.place((1L << 34) + 2));
        assertArrayEquals(new long[] {5 + (7L << 30) + 3, 5 + (8L << 30)}, walked(map, 31, 2));
        assertEquals(4L * 3 + 2, map.bytesBelow((3L << 30) + 7));
        failsWith(ErrorClass.ARG, "beyond 2^63", () -> map.end(1L << 40, 4));
        failsWith(ErrorClass.ARG, "beyond 2^63", () -> map.end(Long.MAX_VALUE, 4));
        FileMap bytes = new FileMap(100, Types.BYTE.map);
        assertEquals(Long.MAX_VALUE, bytes.end(Long.MAX_VALUE - 101, 1));
        failsWith(ErrorClass.ARG, "beyond 2^63", () -> bytes.end(Long.MAX_VALUE - 99, 1));
    }

    @Test
    void should_have_no_place_for_data_in_a_view_without_any() {
        Datatype none = Datatype.Contiguous(0, Types.INT);
        ViewTypes.check(Types.INT, none, true);
        FileMap map = new FileMap(9, none.map);
        assertEquals(9, map.place(0));
        assertEquals(0, map.bytesBelow(1000));
        assertEquals(9, map.end(0, 0));
        failsWith(ErrorClass.ARG, "no data", () -> map.end(0, 1));
    }

    @Test
    void should_refuse_what_cannot_be_a_view() {
        Datatype open = Datatype.createContiguous(2, Types.INT);
        failsWith(ErrorClass.TYPE, "committed", () -> ViewTypes.check(Types.BYTE, open, false));
        failsWith(ErrorClass.TYPE, "null", () -> ViewTypes.check(null, Types.BYTE, false));
        failsWith(ErrorClass.TYPE, "objects",
                () -> ViewTypes.check(Types.OBJECT, Types.BYTE, false));
        failsWith(ErrorClass.TYPE, "objects",
                () -> ViewTypes.check(Types.BYTE, Types.OBJECT, false));
        failsWith(ErrorClass.TYPE, "multiple",
                () -> ViewTypes.check(Types.DOUBLE, Types.INT, false));
        failsWith(ErrorClass.TYPE, "multiple", () -> ViewTypes.check(
                Datatype.Contiguous(0, Types.INT), Types.INT, false));
        failsWith(ErrorClass.TYPE, "place of 0 or more", () -> ViewTypes.check(Types.INT,
                Datatype.Indexed(new int[] {1}, new int[] {-1}, Types.INT), false));
        failsWith(ErrorClass.TYPE, "go back", () -> ViewTypes.check(Types.INT,
                Datatype.Indexed(new int[] {1, 1}, new int[] {3, 1}, Types.INT), false));
        failsWith(ErrorClass.TYPE, "overlap", () -> ViewTypes.check(Types.INT,
                Datatype.Vector(3, 2, 1, Types.INT), true));
    }
}
