// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.MismatchException;
import io.hayate.Scope;
import io.hayate.Section;
import io.hayate.Span;
import io.hayate.StateException;
import io.hayate.UnsupportedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.Consumer;

/** Grids of processes, and what they exchange, against plain models. */
final class BlacsScenarios {
    private static final int ROWS = 5;
    private static final int COLUMNS = 3;
    private static final int LEADING = 7;
    private static final int FIRST = 2;

    /** On all shapes of grids of all ranks. */
    static void onAllGrids(Rank rank, Consumer<BlacsGrid> experiment) {
        try (Blacs blacs = Blacs.open(rank.job)) {
            equal(rank.me, blacs.rank(), "rank");
            equal(rank.size, blacs.size(), "size");
            for (int[] shape : MatrixLab.shapes(rank.size)) {
                try (BlacsGrid grid = blacs.grid(shape[0], shape[1])) {
                    equal(rank.me, grid.row() * grid.columns() + grid.column(), "row by row");
                    experiment.accept(grid);
                }
            }
        }
    }

    /** Shapes of sections: all, and trapezoids. */
    private enum Shape {
        ALL, UPPER, UPPER_UNIT, LOWER, LOWER_UNIT;

        Section of(Section whole) {
            return switch (this) {
                case ALL -> whole;
                case UPPER -> whole.upper(true);
                case UPPER_UNIT -> whole.upper(false);
                case LOWER -> whole.lower(true);
                case LOWER_UNIT -> whole.lower(false);
            };
        }

        /** The section is tall: its upper diagonal ends in the last row. */
        boolean has(int i, int j) {
            return switch (this) {
                case ALL -> true;
                case UPPER -> i <= j + ROWS - COLUMNS;
                case UPPER_UNIT -> i < j + ROWS - COLUMNS;
                case LOWER -> i >= j;
                case LOWER_UNIT -> i > j;
            };
        }
    }

    private static int bytes(Element element) {
        return (FIRST + LEADING * COLUMNS) * element.bytes();
    }

    private static Section section(Memory memory, Element element, Shape shape) {
        return shape.of(Section.of(memory.span(), (long) FIRST * element.bytes(), element, ROWS,
                COLUMNS, LEADING));
    }

    /** The elements of the shape are those of the sender, all others are as before. */
    private static void verify(Memory memory, byte[] before, byte[] sent, Element element,
            Shape shape, String what) {
        ByteBuffer now = memory.get();
        for (int at = 0; at < before.length; at++) {
            int number = at / element.bytes() - FIRST;
            boolean part = number >= 0 && number % LEADING < ROWS
                    && shape.has(number % LEADING, number / LEADING);
            byte expected = part ? sent[at] : before[at];
            check(now.get(at) == expected, what + ", " + element + " " + shape + ": byte " + at
                    + " is " + now.get(at) + ", expected " + expected);
        }
    }

    private static byte[] copy(Memory memory) {
        ByteBuffer content = memory.get();
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    /** What a rank fills its memory with. */
    private static byte[] pattern(Rank rank, BufferKind kind, int bytes, int seed) {
        try (Memory memory = kind.of(rank, bytes)) {
            return copy(memory.fill(seed));
        }
    }

    @Scenario
    static void should_send_sections_of_every_memory(Rank rank) {
        onAllGrids(rank, grid -> {
            int next = rank.right();
            int previous = rank.left();
            for (BufferKind kind : BufferKind.values()) {
                for (Element element : EnumSet.range(Element.INT, Element.COMPLEX_DOUBLE)) {
                    for (Shape shape : Shape.values()) {
                        exchange(rank, grid, kind, element, shape, next, previous);
                    }
                }
            }
        });
    }

    private static void exchange(Rank rank, BlacsGrid grid, BufferKind kind, Element element,
            Shape shape, int next, int previous) {
        int bytes = bytes(element);
        try (Memory from = kind.of(rank, bytes).fill(rank.me);
                Memory to = kind.of(rank, bytes).fill(100)) {
            grid.send(section(from, element, shape), next / grid.columns(), next % grid.columns());
            grid.receive(section(to, element, shape), previous / grid.columns(),
                    previous % grid.columns());
            verify(to, pattern(rank, kind, bytes, 100), pattern(rank, kind, bytes, previous),
                    element, shape, "message in " + kind);
        }
    }

    /** Long sections, which no buffer holds; both sides send before they receive. */
    @Scenario(ranks = 2)
    static void should_send_without_waiting_for_the_receiver(Rank rank) {
        onAllGrids(rank, grid -> {
            if (rank.me > 1) {
                return;
            }
            int other = 1 - rank.me;
            int count = 300;
            double[] values = new double[(count + 7) * count];
            Section matrix =
                    Section.of(Span.of(values), 0, Element.DOUBLE, count, count, count + 7);
            for (int turn = 0; turn < 10; turn++) {
                Arrays.fill(values, 10 * rank.me + turn);
                grid.send(matrix, other / grid.columns(), other % grid.columns());
            }
            for (int turn = 0; turn < 10; turn++) {
                grid.receive(matrix, other / grid.columns(), other % grid.columns());
                for (int i = 0; i < count; i++) {
                    equal(10 * other + turn, (long) values[i * (count + 8)], "in order");
                }
            }
        });
    }

    @Scenario
    static void should_broadcast_in_every_scope(Rank rank) {
        onAllGrids(rank, grid -> {
            for (Scope scope : Scope.values()) {
                for (int root = 0; root < rank.size; root++) {
                    broadcast(rank, grid, scope, root / grid.columns(), root % grid.columns());
                }
            }
        });
    }

    private static void broadcast(Rank rank, BlacsGrid grid, Scope scope, int row, int column) {
        int rootRow = scope == Scope.ROW ? grid.row() : row;
        int rootColumn = scope == Scope.COLUMN ? grid.column() : column;
        int root = rootRow * grid.columns() + rootColumn;
        Element element = Element.values()[root % 5];
        Shape shape = Shape.values()[(root + scope.ordinal()) % 5];
        int bytes = bytes(element);
        try (Memory memory = BufferKind.HEAP.of(rank, bytes).fill(rank.me)) {
            byte[] before = copy(memory);
            grid.bcast(scope, section(memory, element, shape), row, column);
            verify(memory, before, pattern(rank, BufferKind.HEAP, bytes, root), element, shape,
                    "broadcast in " + scope + " from " + root);
        }
    }

    @Scenario
    static void should_broadcast_by_every_topology(Rank rank) {
        onAllGrids(rank, grid -> {
            for (char topology : " idsmfht123".toCharArray()) {
                grid.setTopologies(topology, topology == 'm' || topology == 's' ? ' ' : topology);
                double[] value = {rank.me + 1};
                Section one = Section.of(Span.of(value), Element.DOUBLE, 1, 1);
                grid.sum(Scope.ALL, one);
                equal((long) rank.size * (rank.size + 1) / 2, (long) value[0], "sum");
                value[0] += rank.me;
                grid.bcast(Scope.ALL, one, 0, 0);
                equal((long) rank.size * (rank.size + 1) / 2, (long) value[0],
                        "topology " + topology);
            }
            grid.setTopologies('x', 'x');
            expect(ArgumentException.class, "no topology", () -> grid.sum(Scope.ALL,
                    Section.of(Span.of(new double[1]), Element.DOUBLE, 1, 1)));
        });
    }

    // ---- combines ----

    /** The value of a rank for element (i, j): equal absolute values occur, with both signs. */
    private static int value(int rank, int i, int j) {
        return ((rank * 7 + i * 5 + j * 3) % 5 - 2) * 3;
    }

    @Scenario
    static void should_add_and_compare_in_every_scope(Rank rank) {
        onAllGrids(rank, grid -> {
            grid.setRepeatable(true);
            for (Scope scope : Scope.values()) {
                for (int receiver = -1; receiver < rank.size; receiver++) {
                    combine(rank, grid, scope, receiver);
                }
                located(rank, grid, scope);
            }
        });
    }

    private static double[] values(int rank) {
        double[] values = new double[LEADING * COLUMNS];
        Arrays.fill(values, 77);
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < ROWS; i++) {
                values[i + j * LEADING] = value(rank, i, j);
            }
        }
        return values;
    }

    private static boolean isIn(BlacsGrid grid, Scope scope, int process) {
        return (scope != Scope.ROW || process / grid.columns() == grid.row())
                && (scope != Scope.COLUMN || process % grid.columns() == grid.column());
    }

    private static int[] members(Rank rank, BlacsGrid grid, Scope scope) {
        return java.util.stream.IntStream.range(0, rank.size)
                .filter(each -> isIn(grid, scope, each)).toArray();
    }

    private static void combine(Rank rank, BlacsGrid grid, Scope scope, int receiver) {
        int row = receiver < 0 ? -1 : receiver / grid.columns();
        int column = receiver < 0 ? -1 : receiver % grid.columns();
        boolean mine = receiver < 0 || (scope == Scope.ROW || row == grid.row())
                && (scope == Scope.COLUMN || column == grid.column());
        for (int operation = 0; operation < 3; operation++) {
            double[] values = values(rank.me);
            Section section =
                    Section.of(Span.of(values), 0, Element.DOUBLE, ROWS, COLUMNS, LEADING);
            switch (operation) {
                case 0 -> grid.sum(scope, section, row, column);
                case 1 -> grid.absMax(scope, section, row, column);
                default -> grid.absMin(scope, section, row, column);
            }
            double[] expected = mine ? model(members(rank, grid, scope), operation)
                    : values(rank.me);
            check(Arrays.equals(expected, values), operation + " in " + scope + " for " + receiver
                    + ": " + Arrays.toString(values) + ", expected " + Arrays.toString(expected));
        }
    }

    private static double[] model(int[] members, int operation) {
        double[] result = values(members[0]);
        for (int at = 0; at < result.length; at++) {
            for (int k = 1; k < members.length && result[at] != 77; k++) {
                double next = values(members[k])[at];
                double order = operation == 1 ? Math.abs(next) - Math.abs(result[at])
                        : Math.abs(result[at]) - Math.abs(next);
                if (operation == 0) {
                    result[at] += next;
                } else if (order > 0 || order == 0 && next > result[at]) {
                    result[at] = next;
                }
            }
        }
        return result;
    }

    /** The first of those with the same absolute value. */
    private static void located(Rank rank, BlacsGrid grid, Scope scope) {
        for (boolean largest : new boolean[] {true, false}) {
            double[] values = values(rank.me);
            Section section =
                    Section.of(Span.of(values), 0, Element.DOUBLE, ROWS, COLUMNS, LEADING);
            BlacsGrid.Locations found = largest ? grid.absMaxLocated(scope, section)
                    : grid.absMinLocated(scope, section);
            int[] members = members(rank, grid, scope);
            for (int j = 0; j < COLUMNS; j++) {
                for (int i = 0; i < ROWS; i++) {
                    int owner = owner(members, i, j, largest);
                    int at = i + j * ROWS;
                    equal(value(owner, i, j), (long) values[i + j * LEADING], "value");
                    equal(owner / grid.columns(), found.rows()[at], "row of the owner");
                    equal(owner % grid.columns(), found.columns()[at], "column of the owner");
                }
            }
        }
    }

    private static int owner(int[] members, int i, int j, boolean largest) {
        int owner = members[0];
        for (int each : members) {
            int order = Math.abs(value(each, i, j)) - Math.abs(value(owner, i, j));
            owner = largest ? order > 0 ? each : owner : order < 0 ? each : owner;
        }
        return owner;
    }

    // ---- grids ----

    /** Any processes in any order; grids of a grid end with it. */
    @Scenario(ranks = 2)
    static void should_make_grids_of_any_processes(Rank rank) {
        try (Blacs blacs = Blacs.open(rank.job)) {
            BlacsGrid turned = blacs.grid(new int[][] {{rank.size - 1, 0}});
            int[] value = {rank.me};
            Section one = Section.of(Span.of(value), Element.INT, 1, 1);
            check(turned.isMember() == (rank.me == 0 || rank.me == rank.size - 1), "member");
            equal(rank.me == 0 ? 1 : rank.me == rank.size - 1 ? 0 : -1, turned.column(), "column");
            if (!turned.isMember()) {
                equal(-1, turned.context(), "context");
                expect(ArgumentException.class, "no member", () -> turned.barrier(Scope.ALL));
                expect(ArgumentException.class, "no member", () -> turned.grid(new int[][] {{0}}));
                return;
            }
            turned.sum(Scope.ROW, one);
            equal(rank.size - 1, value[0], "sum of two");
            BlacsGrid alone = turned.grid(new int[][] {{1}});
            check(alone.isMember() == (rank.me == 0), "the second process of the grid");
            BlacsGrid both = turned.grid(new int[][] {{1}, {0}});
            both.barrier(Scope.COLUMN);
            turned.close();
            turned.close();
            expect(ClosedException.class, "grid", () -> turned.barrier(Scope.ALL));
            expect(ClosedException.class, "grid of a grid", () -> both.barrier(Scope.ALL));
            expect(ClosedException.class, "grid of a grid", alone::context);
        }
    }

    @Scenario
    static void should_make_and_close_grids_for_ever(Rank rank) {
        try (Blacs blacs = Blacs.open(rank.job)) {
            for (int i = 0; i < 100; i++) {
                try (BlacsGrid grid = blacs.grid(1, rank.size)) {
                    int[] one = {1};
                    grid.sum(Scope.ALL, Section.of(Span.of(one), Element.INT, 1, 1));
                    equal(rank.size, one[0], "sum");
                }
            }
        }
    }

    /** Every process passes another size: the others may not have learned of it yet. */
    private static void disagree(Rank rank, Consumer<Section> call) {
        int rows = 1000 + rank.me;
        HeapSpan span = rank.job.allocate(8L * rows);
        Section section = Section.of(span, Element.DOUBLE, rows, 1);
        expect(MismatchException.class, "sizes", () -> call.accept(section));
        expect(BusyException.class, "memory that others may write", span::close);
        HeapSpan next = rank.job.allocate(8);
        expect(MismatchException.class, "the scope, which is of no use any more",
                () -> call.accept(Section.of(next, Element.DOUBLE, 1, 1)));
        next.close();
    }

    @Scenario
    static void should_hold_memory_that_late_processes_may_access(Rank rank) {
        if (rank.size == 1) {
            return;
        }
        try (Blacs blacs = Blacs.open(rank.job)) {
            BlacsGrid grid = blacs.grid(1, rank.size);
            disagree(rank, section -> grid.sum(Scope.ALL, section));
            if (rank.me > 0) {
                disagree(rank, section -> grid.bcast(Scope.ROW, section, 0, 0));
            }
            Section whole = Section.of(Span.of(new double[1000]), Element.DOUBLE, 1000, 1);
            try { // the root does not wait: it learns of the failure now or later
                if (rank.me == 0) {
                    grid.bcast(Scope.ROW, whole, 0, 0);
                }
                grid.close();
            } catch (MismatchException told) {
                equal(0, rank.me, "the root");
            }
        }
    }

    // ---- bad input ----
}
