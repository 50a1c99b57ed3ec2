// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** A datatype by the definitions of the standard: each primitive element on its own. */
final class ReferenceMap {
    record Entry(long offset, int bytes) {
    }

    final Datatype type;
    final List<Entry> entries;
    final long lb;
    final long ub;
    private final boolean set;

    private ReferenceMap(Datatype type, List<Entry> entries, long lb, long ub, boolean set) {
        this.type = type;
        this.entries = entries;
        this.lb = lb;
        this.ub = ub;
        this.set = set;
    }

    long extent() {
        return ub - lb;
    }

    static ReferenceMap of(Datatype type) {
        List<Entry> entries = new ArrayList<>();
        Kind kind = type.kind;
        entries.add(new Entry(0, (kind.first == null ? kind : kind.first).bytes));
        if (kind.first != null) {
            entries.add(new Entry(Math.max(kind.first.bytes, kind.second.bytes),
                    kind.second.bytes));
        }
        return bounded(type, entries, new ArrayList<>());
    }

    /** Bounds of copies; each copy is {lb, ub, 1 if they were set}. */
    private static ReferenceMap bounded(Datatype type, List<Entry> entries, List<long[]> copies) {
        boolean set = copies.stream().anyMatch(c -> c[2] == 1);
        List<long[]> bounds = new ArrayList<>();
        if (copies.isEmpty()) {
            entries.forEach(e -> bounds.add(new long[] {e.offset, e.offset + e.bytes, 0}));
        } else {
            copies.stream().filter(c -> c[2] == 1 || !set).forEach(bounds::add);
        }
        long lb = bounds.stream().mapToLong(b -> b[0]).min().orElse(0);
        long ub = bounds.stream().mapToLong(b -> b[1]).max().orElse(0);
        int align = entries.stream().mapToInt(Entry::bytes).max().orElse(1);
        while (!set && (ub - lb) % align != 0) {
            ub++;
        }
        return new ReferenceMap(type, entries, lb, ub, set);
    }

    /** The type that contains a copy of each type at each displacement, which are bytes. */
    private static ReferenceMap joined(Datatype type, List<ReferenceMap> parts,
            List<Long> displacements) {
        List<Entry> entries = new ArrayList<>();
        List<long[]> copies = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            ReferenceMap part = parts.get(i);
            long at = displacements.get(i);
            part.entries.forEach(e -> entries.add(new Entry(at + e.offset, e.bytes)));
            if (part.set || !part.entries.isEmpty()) {
                copies.add(new long[] {at + part.lb, at + part.ub, part.set ? 1 : 0});
            }
        }
        return bounded(type, entries, copies);
    }

    private static void repeat(ReferenceMap part, long at, int count, List<ReferenceMap> parts,
            List<Long> displacements) {
        for (int i = 0; i < count; i++) {
            parts.add(part);
            displacements.add(at + i * part.extent());
        }
    }

    /** Makes a type from another one, by some constructor of Open MPI. */
    static ReferenceMap derived(ReferenceMap old, Random random) {
        List<ReferenceMap> parts = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        int count = random.nextInt(4);
        int block = random.nextInt(4);
        int stride = random.nextInt(9) - 3;
        int unit = Math.max(1, old.type.kind.element.bytes);
        switch (random.nextInt(6)) {
            case 0 -> {
                repeat(old, 0, count, parts, at);
                return joined(Datatype.createContiguous(count, old.type), parts, at);
            }
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    repeat(old, i * stride * old.extent(), block, parts, at);
                }
                return joined(Datatype.createVector(count, block, stride, old.type), parts, at);
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    repeat(old, (long) i * stride * unit, block, parts, at);
                }
                return joined(Datatype.createHVector(count, block, stride * unit, old.type),
                        parts, at);
            }
            case 3 -> {
                return indexed(old, random, count);
            }
            case 4 -> {
                int lb = unit * (random.nextInt(5) - 2);
                int extent = unit * random.nextInt(12);
                return new ReferenceMap(Datatype.createResized(old.type, lb, extent), old.entries,
                        lb, lb + extent, true);
            }
            default -> {
                return new ReferenceMap(old.type.dup(), old.entries, old.lb, old.ub, old.set);
            }
        }
    }

    private static ReferenceMap indexed(ReferenceMap old, Random random, int count) {
        List<ReferenceMap> parts = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        int[] lengths = random.ints(count, 0, 4).toArray();
        int[] displacements = random.ints(count, -4, 20).toArray();
        for (int i = 0; i < count; i++) {
            repeat(old, displacements[i] * old.extent(), lengths[i], parts, at);
        }
        return joined(Datatype.createIndexed(lengths, displacements, old.type), parts, at);
    }

    /** Makes a struct of two types. */
    static ReferenceMap struct(ReferenceMap first, ReferenceMap second, Random random) {
        List<ReferenceMap> parts = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        int[] lengths = random.ints(2, 0, 3).toArray();
        int[] displacements = {8 * random.nextInt(3), 8 * random.nextInt(6)};
        repeat(first, displacements[0], lengths[0], parts, at);
        repeat(second, displacements[1], lengths[1], parts, at);
        return joined(Datatype.createStruct(lengths, displacements,
                new Datatype[] {first.type, second.type}), parts, at);
    }

    /** The places of the bytes of some elements, in the order of the type map. */
    long[] places(int count) {
        return LongStream.range(0, count).flatMap(i -> entries.stream()
                .flatMapToLong(e -> LongStream.range(0, e.bytes)
                        .map(b -> i * extent() + e.offset + b))).toArray();
    }
}
