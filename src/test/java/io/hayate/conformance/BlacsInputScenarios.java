// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.BlacsScenarios.onAllGrids;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.MismatchException;
import io.hayate.Scope;
import io.hayate.Section;
import io.hayate.Span;
import io.hayate.StateException;
import io.hayate.UnsupportedException;
import java.nio.ByteBuffer;

/** What the BLACS refuse. */
final class BlacsInputScenarios {
    @Scenario
    static void should_refuse_what_is_no_section(Rank rank) {
        Span span = Span.of(new double[20]);
        expect(ArgumentException.class, "null", () -> Section.of(null, Element.INT, 1, 1));
        expect(ArgumentException.class, "null", () -> Section.of(span, null, 1, 1));
        expect(ArgumentException.class, "rows", () -> Section.of(span, Element.DOUBLE, -1, 1));
        expect(ArgumentException.class, "columns", () -> Section.of(span, Element.DOUBLE, 1, -1));
        expect(ArgumentException.class, "leading dimension",
                () -> Section.of(span, 0, Element.DOUBLE, 3, 1, 2));
        expect(ArgumentException.class, "too long",
                () -> Section.of(span, 8, Element.DOUBLE, 5, 4, 5));
        expect(ArgumentException.class, "too long",
                () -> Section.of(span, Element.COMPLEX_DOUBLE, 5, 3));
        expect(ArgumentException.class, "far too long", () -> Section.of(span, Long.MAX_VALUE - 8,
                Element.DOUBLE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));
        equal(3, Section.of(span, 0, Element.DOUBLE, 2, 3, 9).columns(), "a last column cut off");
    }

    @Scenario
    static void should_refuse_bad_arguments(Rank rank) {
        onAllGrids(rank, grid -> {
            double[] values = new double[9];
            Section one = Section.of(Span.of(values), Element.DOUBLE, 3, 3);
            expect(ArgumentException.class, "null", () -> grid.send(null, 0, 0));
            expect(ArgumentException.class, "null", () -> grid.barrier(null));
            expect(ArgumentException.class, "row", () -> grid.send(one, grid.rows(), 0));
            expect(ArgumentException.class, "column", () -> grid.receive(one, 0, -1));
            expect(ArgumentException.class, "root",
                    () -> grid.bcast(Scope.ALL, one, 0, grid.columns()));
            expect(ArgumentException.class, "receiver", () -> grid.sum(Scope.ALL, one, -2, 0));
            expect(ArgumentException.class, "trapezoid",
                    () -> grid.sum(Scope.ALL, one.upper(true)));
            Section constant = Section.of(Span.of(Rank.direct(8).asReadOnlyBuffer()),
                    Element.DOUBLE, 1, 1);
            grid.send(constant, grid.row(), grid.column());
            expect(ArgumentException.class, "read-only",
                    () -> grid.receive(constant, grid.row(), grid.column()));
            grid.receive(Section.of(Span.of(values), Element.DOUBLE, 1, 1), grid.row(),
                    grid.column());
        });
    }

    /** A longer message can still be received, and a shorter one is lost. */
    @Scenario
    static void should_refuse_a_message_of_another_length(Rank rank) {
        onAllGrids(rank, grid -> {
            double[] values = new double[9];
            Section nine = Section.of(Span.of(values), Element.DOUBLE, 3, 3);
            Section three = Section.of(Span.of(values), Element.DOUBLE, 3, 1);
            grid.send(nine, grid.row(), grid.column());
            expect(MismatchException.class, "too long",
                    () -> grid.receive(three, grid.row(), grid.column()));
            grid.receive(nine, grid.row(), grid.column());
            grid.send(nine.upper(true), grid.row(), grid.column());
            expect(MismatchException.class, "too short",
                    () -> grid.receive(nine, grid.row(), grid.column()));
            values[8] = 5;
            grid.send(nine, grid.row(), grid.column());
            values[8] = 0;
            grid.receive(nine, grid.row(), grid.column());
            equal(5, (long) values[8], "the next message");
        });
    }

    /** The calls of a second thread, while a first one waits for a message. */
    @Scenario(ranks = 2)
    static void should_refuse_a_second_thread(Rank rank) throws Exception {
        try (Blacs blacs = Blacs.open(rank.job); BlacsGrid grid = blacs.grid(1, rank.size)) {
            int[] value = {rank.me};
            Section one = Section.of(Span.of(value), Element.INT, 1, 1);
            if (rank.me == 1) {
                rank.listen(0);
                grid.send(one, 0, 0);
            } else if (rank.me == 0) {
                Thread first = new Thread(() -> receiveWhenFree(grid, one));
                first.start();
                while (first.isAlive() && !isBusy(() -> grid.send(one, 0, rank.size))) {
                    Thread.onSpinWait();
                }
                expect(BusyException.class, "close", grid::close);
                expect(BusyException.class, "close", blacs::close);
                rank.tell(1);
                first.join();
                equal(1, value[0], "what the first thread received");
            }
            grid.barrier(Scope.ALL);
        }
    }

    /** Receives from process 1 once the other thread lets it. */
    private static void receiveWhenFree(BlacsGrid grid, Section section) {
        while (true) {
            try {
                grid.receive(section, 0, 1);
                return;
            } catch (BusyException tryAgain) {
                Thread.onSpinWait();
            }
        }
    }

    /** Otherwise the call, which names no process of the grid, is refused for that. */
    private static boolean isBusy(Runnable call) {
        try {
            call.run();
        } catch (BusyException busy) {
            return true;
        } catch (ArgumentException free) {
            return false;
        }
        throw new AssertionError("nothing thrown");
    }

    @Scenario
    static void should_refuse_what_is_not_open(Rank rank) {
        Blacs blacs = Blacs.open(rank.job);
        expect(StateException.class, "a second one", () -> Blacs.open(rank.job));
        expect(ArgumentException.class, "no job", () -> Blacs.open(null));
        expect(ArgumentException.class, "too many", () -> blacs.grid(rank.size, 2));
        expect(ArgumentException.class, "no rows", () -> blacs.grid(0, 1));
        expect(ArgumentException.class, "no rows", () -> blacs.grid(new int[0][]));
        expect(ArgumentException.class, "no rows", () -> blacs.grid(null));
        expect(ArgumentException.class, "no such rank",
                () -> blacs.grid(new int[][] {{rank.size}}));
        BlacsGrid grid = blacs.grid(1, rank.size);
        blacs.close();
        blacs.close();
        expect(ClosedException.class, "the grid", () -> grid.barrier(Scope.ALL));
        expect(ClosedException.class, "the grid", grid::context);
        expect(ClosedException.class, "the blacs", () -> blacs.grid(1, 1));
        try (Blacs again = Blacs.open(rank.job); BlacsGrid next = again.grid(1, rank.size)) {
            next.barrier(Scope.ALL);
        }
    }

    @Scenario
    static void should_refuse_ranks_that_are_threads(Rank rank) {
        if (System.getenv("HAYATE_RANK") != null) {
            return; // such a job is for programs without a launcher
        }
        Hayate thread = Hayate.initThreads(1).get(0);
        expect(UnsupportedException.class, "ranks that are threads", () -> Blacs.open(thread));
        thread.close();
        expect(ClosedException.class, "closed", () -> Blacs.open(thread));
    }

    /** The root does not wait: it learns of it in its next call. */
    @Scenario(ranks = 3)
    static void should_tell_all_processes_that_a_broadcast_differs(Rank rank) {
        try (Blacs blacs = Blacs.open(rank.job)) {
            BlacsGrid grid = blacs.grid(1, rank.size);
            int rows = rank.me == rank.size - 1 ? 2 : 3;
            Section mine = Section.of(Span.of(new int[3]), Element.INT, rows, 1);
            expect(MismatchException.class, "a shorter section on the last process", () -> {
                grid.bcast(Scope.ALL, mine, 0, 0);
                grid.barrier(Scope.ALL);
            });
            grid.close();
            try (BlacsGrid next = blacs.grid(1, rank.size)) {
                next.barrier(Scope.ALL);
            }
        }
    }
}
