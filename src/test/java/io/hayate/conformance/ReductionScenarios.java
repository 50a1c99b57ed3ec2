// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;

import io.hayate.Communicator;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Reductions of all types against a calculation in Java. */
final class ReductionScenarios {
    private static final int[] COUNTS = {0, 1, 3, 700, 9000};

    /** How values of a type are written, read and combined; complex ones have two parts. */
    private enum Element {
        INT(4, 1), LONG(8, 1), FLOAT(4, 1), DOUBLE(8, 1), COMPLEX_FLOAT(4, 2), COMPLEX_DOUBLE(8, 2),
        BYTE(1, 1), SHORT(2, 1), CHAR(2, 1), BOOLEAN(1, 1);

        final int partBytes;
        final int parts;

        Element(int partBytes, int parts) {
            this.partBytes = partBytes;
            this.parts = parts;
        }

        boolean isInteger() {
            return this == INT || this == LONG || isSmall();
        }

        boolean isSmall() {
            return ordinal() >= BYTE.ordinal();
        }

        /** Returns what an element holds of a whole number. */
        double held(double value) {
            return switch (this) {
                case BYTE -> (byte) (long) value;
                case SHORT -> (short) (long) value;
                case CHAR -> (char) (long) value;
                case BOOLEAN -> value == 0 ? 0 : 1;
                default -> value;
            };
        }

        int valueBytes() {
            return partBytes * parts;
        }

        int locationOffset() {
            return Math.max(valueBytes(), 4);
        }

        /** Of a value and an int, aligned as in C. */
        int pairBytes() {
            return (locationOffset() + 4 + partBytes - 1) / partBytes * partBytes;
        }

        void put(ByteBuffer memory, int at, double value) {
            switch (this) {
                case INT -> memory.putInt(at, (int) value);
                case LONG -> memory.putLong(at, (long) value);
                case FLOAT, COMPLEX_FLOAT -> memory.putFloat(at, (float) value);
                case BYTE, BOOLEAN -> memory.put(at, (byte) value);
                case SHORT -> memory.putShort(at, (short) value);
                case CHAR -> memory.putChar(at, (char) value);
                default -> memory.putDouble(at, value);
            }
        }

        double get(ByteBuffer memory, int at) {
            return switch (this) {
                case INT -> memory.getInt(at);
                case LONG -> memory.getLong(at);
                case FLOAT, COMPLEX_FLOAT -> memory.getFloat(at);
                case BYTE, BOOLEAN -> memory.get(at);
                case SHORT -> memory.getShort(at);
                case CHAR -> memory.getChar(at);
                default -> memory.getDouble(at);
            };
        }
    }

    private enum Kind {
        SUM, PROD, MAX, MIN, ABS_MAX, ABS_MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, MAX_LOC, MIN_LOC,
        ABS_MAX_LOC, ABS_MIN_LOC;

        boolean hasLocation() {
            return ordinal() >= MAX_LOC.ordinal();
        }

        boolean isAbsolute() {
            return name().startsWith("ABS");
        }

        boolean isLogical() {
            return this == LAND || this == LOR || this == LXOR;
        }
    }

    /** A value of one or two parts, and its location. */
    private record Value(double[] parts, int location) {
        boolean isNan() {
            return Double.isNaN(parts[0]) || Double.isNaN(parts[parts.length - 1]);
        }

        Value in(Element element) {
            return element.isSmall() ? new Value(new double[] {element.held(parts[0])}, location)
                    : this;
        }

        double absolute() {
            return parts.length == 1 ? Math.abs(parts[0]) : Math.abs(parts[0]) + Math.abs(parts[1]);
        }
    }

    private record Case(Reduction reduction, Element element, Kind kind) {
        int bytes() {
            return reduction.elementBytes();
        }

        void put(ByteBuffer memory, int i, Value value) {
            for (int part = 0; part < element.parts; part++) {
                element.put(memory, i * bytes() + part * element.partBytes, value.parts[part]);
            }
            if (kind.hasLocation()) {
                memory.putInt(i * bytes() + reduction.locationOffset(), value.location);
            }
        }

        Value get(ByteBuffer memory, int i) {
            double[] parts = new double[element.parts];
            for (int part = 0; part < parts.length; part++) {
                parts[part] = element.get(memory, i * bytes() + part * element.partBytes);
            }
            return new Value(parts, kind.hasLocation()
                    ? memory.getInt(i * bytes() + reduction.locationOffset()) : 0);
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Element element : Element.values()) {
            for (Kind kind : Kind.values()) {
                try {
                    Reduction reduction = (Reduction) Reduction.class
                            .getField(element + "_" + kind).get(null);
                    cases.add(new Case(reduction, element, kind));
                } catch (NoSuchFieldException none) {
                    boolean ordered = element.parts == 1 || kind.isAbsolute();
                    boolean bits = kind.name().matches("[LB]X?(AND|OR)");
                    boolean small = element.isSmall() && (kind.isAbsolute()
                            || kind.hasLocation() && element != Element.SHORT
                            || element == Element.BOOLEAN && !kind.isLogical());
                    check(small || (bits ? !element.isInteger() : !ordered), element + "_" + kind);
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        equal(99, cases.size(), "reductions");
        return cases;
    }

    @Scenario
    static void should_reduce_to_every_root_and_to_all(Rank rank) {
        for (Case each : cases()) {
            boolean pair = each.kind.hasLocation();
            equal(pair ? each.element.pairBytes() : each.element.valueBytes(), each.bytes(),
                    each + ": bytes of an element");
            equal(pair ? each.element.locationOffset() : -1, each.reduction.locationOffset(),
                    each + ": offset of the location");
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
        int bytes = count * each.bytes();
        for (BufferKind kind : kindsOf(each)) {
            try (Memory memory = kind.of(rank, bytes).clear()) {
                ByteBuffer image = Rank.direct(bytes);
                for (int i = 0; i < count; i++) {
                    each.put(image, i, valueOf(each, rank.me, i));
                }
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

    /** Memory of an array as well, if its elements are those of the reduction. */
    private static BufferKind[] kindsOf(Case each) {
        BufferKind array = switch (each.element) {
            case INT -> BufferKind.INTS;
            case LONG -> BufferKind.LONGS;
            case FLOAT, COMPLEX_FLOAT -> BufferKind.FLOATS;
            case BYTE, BOOLEAN -> BufferKind.BYTES;
            case SHORT -> BufferKind.SHORTS;
            case CHAR -> BufferKind.CHARS;
            default -> BufferKind.DOUBLES;
        };
        return each.kind.hasLocation() ? new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}
                : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT, array};
    }

    /** Small whole numbers of both signs, many equal in absolute value; now and then NaN. */
    private static Value valueOf(Case each, int rank, int i) {
        double[] parts = new double[each.element.parts];
        for (int part = 0; part < parts.length; part++) {
            int place = i * parts.length + part;
            parts[part] = (place * 7 + rank * 13 + place / 11 * rank) % 23 - 11;
            if (each.kind == Kind.PROD) {
                parts[part] %= 4; // exact
            }
            parts[part] = each.element.held(parts[part]);
        }
        if (!each.element.isInteger() && (i * 5 + rank * 3) % 41 == 0) {
            parts[parts.length - 1] = Double.NaN;
        }
        return new Value(parts, (rank * 5 + i) % 9 - 4);
    }

    /** {@code ranks} -1: unchanged, the values of rank {@code me}. */
    private static void verify(ByteBuffer image, Case each, int count, int ranks, int me) {
        for (int i = 0; i < count; i++) {
            Value expected = valueOf(each, ranks < 0 ? me : 0, i);
            for (int rank = 1; rank < ranks; rank++) {
                expected = combine(each, expected, valueOf(each, rank, i)).in(each.element);
            }
            if (ranks == 1 && each.kind.isLogical()) {
                expected = truth(expected.parts[0] != 0);
            }
            Value actual = each.get(image, i);
            boolean same = expected.isNan() ? actual.isNan() : sameParts(expected, actual);
            check(same, "element " + i + " is " + Arrays.toString(actual.parts) + ", expected "
                    + Arrays.toString(expected.parts));
            if (each.kind.hasLocation()) {
                equal(expected.location, actual.location, "location of element " + i);
            }
        }
    }

    private static boolean sameParts(Value a, Value b) {
        return a.parts[0] == b.parts[0]
                && a.parts[a.parts.length - 1] == b.parts[b.parts.length - 1];
    }

    private static Value combine(Case each, Value a, Value b) {
        return switch (each.kind) {
            case SUM, PROD -> new Value(each.kind == Kind.SUM ? sum(a.parts, b.parts)
                    : product(a.parts, b.parts), 0);
            case LAND -> truth(a.parts[0] != 0 && b.parts[0] != 0);
            case LOR -> truth(a.parts[0] != 0 || b.parts[0] != 0);
            case LXOR -> truth(a.parts[0] != 0 ^ b.parts[0] != 0);
            case BAND -> whole((long) a.parts[0] & (long) b.parts[0]);
            case BOR -> whole((long) a.parts[0] | (long) b.parts[0]);
            case BXOR -> whole((long) a.parts[0] ^ (long) b.parts[0]);
            default -> isBetter(each.kind, b, a) ? b : a;
        };
    }

    private static Value truth(boolean value) {
        return whole(value ? 1 : 0);
    }

    private static Value whole(long value) {
        return new Value(new double[] {value}, 0);
    }

    private static double[] sum(double[] a, double[] b) {
        double[] sum = a.clone();
        for (int part = 0; part < sum.length; part++) {
            sum[part] += b[part];
        }
        return sum;
    }

    private static double[] product(double[] a, double[] b) {
        return a.length == 1 ? new double[] {a[0] * b[0]}
                : new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
    }

    /** Whether a is to be taken rather than b. */
    private static boolean isBetter(Kind kind, Value a, Value b) {
        boolean smallest = kind.name().contains("MIN");
        if (a.isNan() || b.isNan()) {
            return a.isNan() != b.isNan() ? a.isNan() : a.location < b.location;
        }
        int order = kind.isAbsolute() ? Double.compare(a.absolute(), b.absolute())
                : Double.compare(a.parts[0], b.parts[0]);
        if (order != 0) {
            return order > 0 != smallest;
        }
        return kind.hasLocation() ? a.location < b.location : compare(a.parts, b.parts) > 0;
    }

    private static int compare(double[] a, double[] b) {
        int first = Double.compare(a[0], b[0]);
        return first != 0 || a.length == 1 ? first : Double.compare(a[1], b[1]);
    }

    @Scenario(ranks = 2)
    static void should_take_the_smallest_integer_for_the_largest_in_absolute_value(Rank rank) {
        int[] ints = {rank.me == 1 ? Integer.MIN_VALUE : Integer.MAX_VALUE};
        long[] longs = {rank.me == 1 ? Long.MIN_VALUE : Long.MAX_VALUE};
        rank.fmpl.allreduce(Span.of(ints), Reduction.INT_ABS_MAX);
        rank.fmpl.allreduce(Span.of(longs), Reduction.LONG_ABS_MAX);
        equal(Integer.MIN_VALUE, ints[0], "int");
        equal(Long.MIN_VALUE, longs[0], "long");
    }

    @Scenario(ranks = 2)
    static void should_give_the_same_bits_on_every_rank(Rank rank) {
        for (int count : new int[] {1, 5, 900, 9000, 50_000}) {
            Random random = new Random(rank.me * 77L + count);
            double[] mine = random.doubles(count, -1e9, 1e9).toArray();
            rank.fmpl.allreduce(Span.of(mine), Reduction.DOUBLE_SUM);
            double[] first = mine.clone();
            rank.fmpl.bcast(Span.of(first), 0);
            check(Arrays.equals(first, mine), count + " sums differ");
        }
    }

    @Scenario(ranks = 2)
    static void should_reduce_a_range_of_elements(Rank rank) {
        double[] values = new double[100];
        Arrays.fill(values, 1);
        Communicator world = rank.fmpl.world();
        rank.fmpl.allreduce(Span.of(values), 80, 10, Reduction.DOUBLE_SUM, world);
        check(values[9] == 1 && values[20] == 1, "around the range");
        check(values[10] == rank.size && values[19] == rank.size, "in the range");
    }
}
