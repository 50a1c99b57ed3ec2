// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * One side of a neighbourhood: its edges, in the order in which the program numbers their blocks.
 * It arranges the blocks of edges as those of an alltoall, in which all other members have empty
 * ones. Several blocks for one member follow each other there.
 */
public final class NeighborSide {
    /** A peer of an edge along which nothing travels. */
    private static final int NOBODY = -2;

    private final String name;
    private final int[] peers;
    private final int members;
    /** The edges along which blocks travel, by peer, those of a peer in the order in which two
     * members match them. */
    private final int[] order;
    private final boolean repeats;

    /** The blocks of a side: a range of the memory for each member. Offsets null: consecutive. */
    public record Blocks(Memory memory, long[] sizes, long[] offsets) {
    }

    /**
     * Describes edges.
     *
     * @param flip 0: two members match the edges between them in order; 1: the edges come in pairs,
     *     the two of which are exchanged before
     */
    public NeighborSide(String name, int[] given, int members, int flip) {
        this.name = name;
        this.members = members;
        peers = Errors.required(given, name).clone();
        for (int edge = 0; edge < peers.length; edge++) {
            int peer = peers[edge];
            if (peer != NOBODY && (peer < 0 || peer >= members)) {
                throw Errors.argument(name + "[" + edge + "] is " + peer + ": expected a member, 0"
                        + " to " + (members - 1) + ", or NO_RANK");
            }
        }
        order = IntStream.range(0, peers.length).filter(edge -> peers[edge] != NOBODY).boxed()
                .sorted(Comparator.<Integer>comparingInt(edge -> peers[edge])
                        .thenComparingInt(edge -> edge ^ flip))
                .mapToInt(Integer::intValue).toArray();
        repeats = IntStream.range(1, order.length)
                .anyMatch(i -> peers[order[i]] == peers[order[i - 1]]);
    }

    /** Returns a side with one edge for each member. */
    public static NeighborSide ofAll(String name, int members) {
        return new NeighborSide(name, IntStream.range(0, members).toArray(), members, 0);
    }

    /** Returns the peers as the program has passed them. */
    public int[] peers() {
        return peers.clone();
    }

    /** Returns the number of edges, also of those along which nothing travels. */
    public int degree() {
        return peers.length;
    }

    /** Returns how often each member is named. */
    int[] times() {
        int[] times = new int[members];
        for (int edge : order) {
            times[peers[edge]]++;
        }
        return times;
    }

    /** Arranges blocks of the same length, one behind the other, or the same block for all. */
    public Blocks even(Memory memory, long bytes, boolean same) {
        long[] sizes = new long[peers.length];
        Arrays.fill(sizes, bytes);
        return uneven(memory, sizes, same ? new long[peers.length] : null);
    }

    /**
     * Arranges blocks of any lengths.
     *
     * @param given where they begin; null: one behind the other
     */
    public Blocks uneven(Memory memory, long[] sizes, long[] given) {
        requireOneEach(Errors.required(sizes, "sizes of " + name).length, "sizes");
        if (given != null) {
            requireOneEach(given.length, "offsets");
        }
        long[] offsets = given != null ? given : consecutive(sizes);
        CollectiveCall.requireWhole(memory, sizes, "sizes of " + name);
        CollectiveCall.requireWhole(memory, offsets, "offsets of " + name);
        if (repeats) {
            Memory whole = Errors.required(memory, "memory of " + name);
            Memory[] parts = new Memory[peers.length];
            for (int edge : order) {
                parts[edge] = whole.slice(offsets[edge], sizes[edge]);
            }
            return joined(parts);
        }
        long[] bySize = new long[members];
        long[] byOffset = new long[members];
        for (int edge : order) {
            bySize[peers[edge]] = sizes[edge];
            byOffset[peers[edge]] = offsets[edge];
        }
        return new Blocks(memory, bySize, byOffset);
    }

    /** Arranges blocks that are memories of any kinds; null: an empty block. */
    public Blocks joined(Memory[] blocks) {
        requireOneEach(blocks.length, "blocks");
        long[] sizes = new long[members];
        Memory[] parts = new Memory[order.length];
        int count = 0;
        for (int edge : order) {
            if (blocks[edge] != null) {
                parts[count++] = blocks[edge];
                sizes[peers[edge]] += blocks[edge].bytes;
            }
        }
        Memory memory = count == 0 ? null : count == 1 ? parts[0]
                : Memory.joined(Arrays.copyOf(parts, count));
        return new Blocks(memory, sizes, null);
    }

    private long[] consecutive(long[] sizes) {
        long[] offsets = new long[sizes.length];
        for (int edge = 1; edge < sizes.length; edge++) {
            offsets[edge] = offsets[edge - 1] + sizes[edge - 1];
        }
        return offsets;
    }

    private void requireOneEach(int length, String what) {
        if (length != peers.length) {
            throw Errors.argument(what + " of " + name + ": " + length + " given, expected one for"
                    + " each of " + peers.length);
        }
    }
}
