// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;

import io.hayate.Communicator;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Reductions of all types against a calculation in Java. */
final class ReductionScenarios {
    private static final int[] COUNTS = {0, 1, 3, 700, 9000};

    private ReductionScenarios() {
    }

    /** How elements of a type are written, read and combined; complex ones have two parts. */
    private enum Element {
        INT(4, 1), FLOAT(4, 1), DOUBLE(8, 1), FLOAT_COMPLEX(4, 2), DOUBLE_COMPLEX(8, 2), LONG(8, 1);

        final int partBytes;
        final int parts;

        Element(int partBytes, int parts) {
            this.partBytes = partBytes;
            this.parts = parts;
        }

        void put(ByteBuffer memory, int part, double value) {
            switch (this) {
                case INT -> memory.putInt(part * 4, (int) value);
                case LONG -> memory.putLong(part * 8, (long) value);
                case FLOAT, FLOAT_COMPLEX -> memory.putFloat(part * 4, (float) value);
                default -> memory.putDouble(part * 8, value);
            }
        }

        double get(ByteBuffer memory, int part) {
            return switch (this) {
                case INT -> memory.getInt(part * 4);
                case LONG -> memory.getLong(part * 8);
                case FLOAT, FLOAT_COMPLEX -> memory.getFloat(part * 4);
                default -> memory.getDouble(part * 8);
            };
        }
    }

    private enum Kind { SUM, MAX, MIN }

    private record Case(Reduction reduction, Element element, Kind kind) {
    }

    private static List<Case> cases() {
        Reduction[][] all = {
            {Reduction.ISUM, Reduction.IMAX, Reduction.IMIN},
            {Reduction.SSUM, Reduction.SMAX, Reduction.SMIN},
            {Reduction.DSUM, Reduction.DMAX, Reduction.DMIN},
            {Reduction.CSUM, Reduction.CMAX, Reduction.CMIN},
            {Reduction.ZSUM, Reduction.ZMAX, Reduction.ZMIN},
            {Reduction.LSUM, Reduction.LMAX, Reduction.LMIN}};
        List<Case> cases = new ArrayList<>();
        for (Element element : Element.values()) {
            for (Kind kind : Kind.values()) {
                cases.add(new Case(all[element.ordinal()][kind.ordinal()], element, kind));
            }
        }
        return cases;
    }

    @Scenario
    static void shouldReduceToEveryRootAndToAll(Rank rank) {
        for (Case each : cases()) {
            equal(each.element.partBytes * each.element.parts, each.reduction.elementBytes(),
                    each + ": bytes of an element");
            for (int count : COUNTS) {
                if (rank.takesNextCase()) {
                    reduce(rank, each, count, count % rank.size);
                    reduce(rank, each, count, -1);
                }
            }
        }
    }

    /** Root -1: allreduce. */
    private static void reduce(Rank rank, Case each, int count, int root) {
        int bytes = count * each.element.parts * each.element.partBytes;
        for (BufferKind kind : kindsOf(each.element)) {
            try (Memory memory = kind.of(rank, bytes).clear()) {
                ByteBuffer image = Rank.direct(bytes);
                write(image, each.element, count, rank.me);
                memory.put(image);
                if (root < 0) {
                    rank.fmpl.allreduce(memory.span(), each.reduction);
                } else {
                    rank.fmpl.reduce(memory.span(), each.reduction, root);
                }
                boolean result = root < 0 || root == rank.me;
                verify(memory.get(), each, count, result ? rank.size : -1, rank.me);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError(each.element + " " + each.kind + " of " + count + ", "
                        + kind + ", root " + root, wrong);
            }
        }
    }

    private static BufferKind[] kindsOf(Element element) {
        BufferKind array = switch (element) {
            case INT -> BufferKind.INTS;
            case LONG -> BufferKind.LONGS;
            case FLOAT, FLOAT_COMPLEX -> BufferKind.FLOATS;
            default -> BufferKind.DOUBLES;
        };
        return new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT, array};
    }

    private static void write(ByteBuffer image, Element element, int count, int rank) {
        for (int part = 0; part < count * element.parts; part++) {
            element.put(image, part, value(rank, part));
        }
    }

    /** Small whole numbers of both signs, many equal in absolute value: sums are exact. */
    private static double value(int rank, int part) {
        return (part * 7 + rank * 13 + part / 11 * rank) % 23 - 11;
    }

    /** {@code ranks} -1: unchanged, the values of rank {@code me}. */
    private static void verify(ByteBuffer image, Case each, int count, int ranks, int me) {
        int parts = each.element.parts;
        for (int i = 0; i < count; i++) {
            double[] expected = valuesOf(ranks < 0 ? me : 0, i, parts);
            for (int rank = 1; rank < ranks; rank++) {
                expected = combine(each.kind, expected, valuesOf(rank, i, parts));
            }
            for (int part = 0; part < parts; part++) {
                double actual = each.element.get(image, i * parts + part);
                check(expected[part] == actual,
                        "element " + i + " is " + actual + ", expected " + expected[part]);
            }
        }
    }

    private static double[] valuesOf(int rank, int element, int parts) {
        double[] values = new double[parts];
        for (int part = 0; part < parts; part++) {
            values[part] = value(rank, element * parts + part);
        }
        return values;
    }

    private static double[] combine(Kind kind, double[] a, double[] b) {
        if (kind == Kind.SUM) {
            double[] sum = a.clone();
            for (int part = 0; part < sum.length; part++) {
                sum[part] += b[part];
            }
            return sum;
        }
        int order = Double.compare(absolute(a), absolute(b));
        if (order == 0) {
            return compare(a, b) >= 0 ? a : b;
        }
        return order > 0 == (kind == Kind.MAX) ? a : b;
    }

    private static double absolute(double[] value) {
        return value.length == 1 ? Math.abs(value[0]) : Math.abs(value[0]) + Math.abs(value[1]);
    }

    private static int compare(double[] a, double[] b) {
        int first = Double.compare(a[0], b[0]);
        return first != 0 || a.length == 1 ? first : Double.compare(a[1], b[1]);
    }

    @Scenario(ranks = 2)
    static void shouldTakeTheSmallestIntegerForTheLargestInAbsoluteValue(Rank rank) {
        int[] ints = {rank.me == 1 ? Integer.MIN_VALUE : Integer.MAX_VALUE};
        long[] longs = {rank.me == 1 ? Long.MIN_VALUE : Long.MAX_VALUE};
        rank.fmpl.allreduce(Span.of(ints), Reduction.IMAX);
        rank.fmpl.allreduce(Span.of(longs), Reduction.LMAX);
        equal(Integer.MIN_VALUE, ints[0], "int");
        equal(Long.MIN_VALUE, longs[0], "long");
    }

    @Scenario(ranks = 2)
    static void shouldGiveTheSameBitsOnEveryRank(Rank rank) {
        for (int count : new int[] {1, 5, 900, 9000, 50_000}) {
            Random random = new Random(rank.me * 77L + count);
            double[] mine = random.doubles(count, -1e9, 1e9).toArray();
            rank.fmpl.allreduce(Span.of(mine), Reduction.DSUM);
            double[] first = mine.clone();
            rank.fmpl.bcast(Span.of(first), 0);
            check(java.util.Arrays.equals(first, mine), count + " sums differ");
        }
    }

    @Scenario(ranks = 2)
    static void shouldReduceARangeOfElements(Rank rank) {
        double[] values = new double[100];
        java.util.Arrays.fill(values, 1);
        Communicator world = rank.fmpl.world();
        rank.fmpl.allreduce(Span.of(values), 80, 10, Reduction.DSUM, world);
        check(values[9] == 1 && values[20] == 1, "around the range");
        check(values[10] == rank.size && values[19] == rank.size, "in the range");
    }
}
