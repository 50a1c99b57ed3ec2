// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests groups as sets of world ranks with an order. */
class GroupTest {
    private static final int SELF = 3;

    private static Group group(int... worldRanks) {
        return new Group(worldRanks, SELF);
    }

    private static Group world(int size) {
        return group(IntStream.range(0, size).toArray());
    }

    private static void assertMembers(Group group, int... worldRanks) {
        assertArrayEquals(worldRanks, group.members().worlds());
        assertEquals(worldRanks.length, group.getSize());
    }

    @Test
    void should_know_size_and_rank() {
        Group group = group(5, 3, 0);
        assertEquals(3, group.Size());
        assertEquals(1, group.getRank());
        assertEquals(1, group.Rank());
        assertEquals(5, group.world(0));
        assertEquals(2, group.rankOf(0));
        assertEquals(-1, group.rankOf(4));
        assertEquals(-1, group.rankOf(1000));
        assertEquals(Constants.UNDEFINED, group(1, 2).getRank());
        assertEquals(Constants.UNDEFINED, Group.NOBODY.getRank());
        Refused.with(ErrorClass.RANK, () -> group.world(3));
    }

    @Test
    void should_not_follow_the_array_it_was_made_from() {
        int[] ranks = {4, 2};
        Group group = group(ranks);
        ranks[0] = 9;
        assertMembers(group, 4, 2);
    }

    @Test
    void should_combine_in_the_order_of_the_first_group() {
        Group one = group(4, 1, 3);
        Group other = group(7, 3, 4, 0);
        assertMembers(Group.union(one, other), 4, 1, 3, 7, 0);
        assertMembers(Group.Union(other, one), 7, 3, 4, 0, 1);
        assertMembers(Group.intersection(one, other), 4, 3);
        assertMembers(Group.Intersection(other, one), 3, 4);
        assertMembers(Group.difference(one, other), 1);
        assertMembers(Group.Difference(other, one), 7, 0);
        assertMembers(Group.difference(one, one));
        assertMembers(Group.union(Group.NOBODY, one), 4, 1, 3);
        assertEquals(2, Group.union(Group.NOBODY, one).getRank());
    }

    @Test
    void should_combine_like_sets_for_random_groups() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            List<Integer> one = sample(random);
            List<Integer> other = sample(random);
            Set<Integer> union = new LinkedHashSet<>(one);
            union.addAll(other);
            Set<Integer> both = new LinkedHashSet<>(one);
            both.retainAll(other);
            Set<Integer> minus = new LinkedHashSet<>(one);
            minus.removeAll(other);
            Group a = group(ints(one));
            Group b = group(ints(other));
            assertMembers(Group.union(a, b), ints(union));
            assertMembers(Group.intersection(a, b), ints(both));
            assertMembers(Group.difference(a, b), ints(minus));
            assertEquals(one.equals(other) ? Constants.IDENT
                    : Set.copyOf(one).equals(Set.copyOf(other)) ? Constants.SIMILAR
                    : Constants.UNEQUAL, Group.compare(a, b));
        }
    }

    private static List<Integer> sample(Random random) {
        Set<Integer> ranks = new LinkedHashSet<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            ranks.add(random.nextInt(5));
        }
        return new ArrayList<>(ranks);
    }

    private static int[] ints(Iterable<Integer> values) {
        IntStream.Builder all = IntStream.builder();
        values.forEach(all::add);
        return all.build().toArray();
    }

    @Test
    void should_compare_members_and_their_order() {
        assertEquals(0, Group.compare(group(1, 2), group(1, 2)));
        assertEquals(1, Group.Compare(group(1, 2), group(2, 1)));
        assertEquals(2, Group.compare(group(1, 2), group(1, 3)));
        assertEquals(2, Group.compare(group(1, 2), group(1)));
        assertEquals(0, Group.compare(group(), Group.NOBODY));
    }

    @Test
    void should_choose_members_by_ranks() {
        Group group = group(10, 11, 12, 13);
        assertMembers(group.incl(new int[] {3, 0}), 13, 10);
        assertMembers(group.Incl(new int[0]));
        assertMembers(group.excl(new int[] {3, 0}), 11, 12);
        assertMembers(group.Excl(new int[0]), 10, 11, 12, 13);
        for (int[] wrong : new int[][] {{4}, {-1}, {1, 1}}) {
            Refused.with(ErrorClass.RANK, () -> group.incl(wrong));
            Refused.with(ErrorClass.RANK, () -> group.excl(wrong));
        }
        Refused.with(ErrorClass.ARG, () -> group.incl(null));
        Refused.with(ErrorClass.RANK, () -> Group.NOBODY.incl(new int[] {0}));
    }

    @Test
    void should_choose_members_by_ranges() {
        Group group = world(10);
        assertMembers(group.rangeIncl(new int[][] {{1, 7, 3}, {9, 9, 5}}), 1, 4, 7, 9);
        assertMembers(group.Range_incl(new int[][] {{8, 1, -3}}), 8, 5, 2);
        assertMembers(group.rangeIncl(new int[][] {{0, 8, 3}}), 0, 3, 6);
        assertMembers(group.rangeIncl(new int[0][]));
        assertMembers(group.rangeExcl(new int[][] {{1, 9, 2}}), 0, 2, 4, 6, 8);
        assertMembers(group.Range_excl(new int[][] {{9, 0, -1}}));
        assertMembers(group.rangeIncl(new int[][] {{9, 0, Integer.MIN_VALUE}}), 9);
    }

    @Test
    void should_refuse_wrong_ranges() {
        Group group = world(10);
        for (int[] wrong : new int[][] {{0, 10, 1}, {-1, 2, 1}, {0, 3, 0}, {0, 3, -1}, {3, 0, 1},
            {10, 10, 1}}) {
            Refused.with(ErrorClass.RANK, () -> group.rangeIncl(new int[][] {wrong}));
            Refused.with(ErrorClass.RANK, () -> group.rangeExcl(new int[][] {wrong}));
        }
        Refused.with(ErrorClass.RANK, () -> group.rangeIncl(new int[][] {{0, 4, 1}, {4, 5, 1}}));
        Refused.with(ErrorClass.ARG, () -> group.rangeIncl(new int[][] {{0, 4}}));
        Refused.with(ErrorClass.ARG, () -> group.rangeIncl(new int[][] {null}));
        Refused.with(ErrorClass.ARG, () -> group.rangeExcl(null));
    }

    @Test
    void should_translate_ranks() {
        Group from = group(4, 5, 6);
        Group to = group(6, 7, 4);
        int[] ranks = {0, 1, 2, Constants.PROC_NULL};
        int[] expected = {2, Constants.UNDEFINED, 0, Constants.PROC_NULL};
        assertArrayEquals(expected, Group.translateRanks(from, ranks, to));
        assertArrayEquals(expected, Group.Translate_ranks(from, ranks, to));
        assertArrayEquals(new int[] {0, 1, 2, Constants.PROC_NULL}, ranks);
        Refused.with(ErrorClass.RANK, () -> Group.translateRanks(from, new int[] {3}, to));
        Refused.with(ErrorClass.ARG, () -> Group.translateRanks(from, null, to));
    }

    @Test
    void should_refuse_a_group_that_is_null_or_freed() {
        Group group = group(1, 2);
        assertFalse(group.isNull());
        group.finalize();
        group.free();
        assertTrue(group.isNull());
        Refused.with(ErrorClass.GROUP, group::free);
        Refused.with(ErrorClass.GROUP, group::getSize);
        Refused.with(ErrorClass.GROUP, group::getRank);
        Refused.with(ErrorClass.GROUP, () -> group.incl(new int[] {0}));
        Refused.with(ErrorClass.GROUP, () -> Group.compare(group, group(1)));
        Refused.with(ErrorClass.GROUP, () -> Group.union(group(1), null));
        assertTrue(Group.NULL.isNull());
        Refused.with(ErrorClass.GROUP, Group.NULL::free);
    }

    @Test
    void should_keep_the_predefined_empty_group() {
        Group.NOBODY.free();
        assertEquals(0, Group.NOBODY.getSize());
        assertEquals(Group.EMPTY, Group.NOBODY.code);
        assertEquals(-1, group(1).code);
    }

    @Test
    void should_handle_thousands_of_ranks() {
        int size = 100_000;
        Group world = world(size);
        Group backwards = world.rangeIncl(new int[][] {{size - 1, 0, -1}});
        assertEquals(Constants.SIMILAR, Group.compare(world, backwards));
        int[] ranks = IntStream.range(0, size).toArray();
        int[] translated = Group.translateRanks(world, ranks, backwards);
        assertTrue(Arrays.stream(ranks).allMatch(i -> translated[i] == size - 1 - i));
        assertEquals(Constants.IDENT, Group.compare(world, Group.union(world, backwards)));
    }
}
