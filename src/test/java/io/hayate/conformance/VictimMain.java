// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.CollOptions;
import io.hayate.Element;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Ompl;
import io.hayate.PeerFailedException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Scope;
import io.hayate.Section;
import io.hayate.Span;
import io.hayate.tasks.Region;
import io.hayate.tasks.Task;
import io.hayate.tasks.TaskGraph;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Ranks in the middle of an operation of which the last rank does not do its part. Each says
 * {@code READY rank pid}, the last one {@code ACT time} when it begins to fail; whoever gets a
 * PeerFailedException says {@code FAILED rank peer time}, in the time of this machine's clock.
 */
public final class VictimMain {
    /** Entry of a rank: the operation, and what the last rank does instead. */
    public static void main(String[] arguments) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int victim = job.size() - 1;
            PersistentOperation prepared = prepare(fmpl, arguments[0]);
            Ompl ompl = arguments[0].startsWith("ompl") ? Ompl.open(job, 4096) : null;
            BlacsGrid grid = arguments[0].startsWith("blacs")
                    ? Blacs.open(job).grid(1, job.size()) : null;
            if (job.rank() == victim) {
                if (arguments[0].startsWith("ompl task")) {
                    graph(job, ompl, () -> fail(job, fmpl, arguments[1])).run(Runnable::run);
                }
                fail(job, fmpl, arguments[1]);
                return;
            }
            if (prepared != null) {
                ready(job);
                run(job, prepared);
                return;
            }
            if (arguments[0].equals("ompl tasks")) {
                ready(job);
                run(job, graph(job, ompl, () -> { }));
                return;
            }
            if (arguments[0].equals("ompl task outputs")) {
                run(job, outputs(job, ompl));
                return;
            }
            if (ompl != null) {
                awaitFlag(job, ompl);
                return;
            }
            if (grid != null) {
                exchange(job, grid, arguments[0], victim);
                return;
            }
            work(job, fmpl, arguments[0], victim);
            System.out.println("NOTHING " + job.rank());
        }
    }

    /** "persistent COLLECTIVE [OPTIONS]"; null: something else. All ranks take part in this. */
    private static PersistentOperation prepare(Fmpl fmpl, String operation) {
        String[] words = operation.split(" ", 3);
        if (!words[0].equals("persistent")) {
            return null;
        }
        PersistentColl on = PersistentColl.on(fmpl.world());
        CollOptions options = CollOptions.parse(words.length < 3 ? "" : words[2]);
        Span array = Span.of(new double[100_000]);
        PersistentOperation prepared = switch (words[1]) {
            case "allreduce" -> on.allreduce(array, Reduction.DOUBLE_SUM, options);
            case "bcast" -> on.bcast(Span.of(Rank.direct(1 << 20)), fmpl.world().size() - 1,
                    options);
            case "alltoall" -> on.alltoall(Span.of(new byte[30]), Span.of(new byte[30]), options);
            case "barrier" -> on.barrier(options);
            default -> throw new IllegalArgumentException(operation);
        };
        prepared.start();
        prepared.await();
        return prepared;
    }

    private static void run(Hayate job, PersistentOperation prepared) {
        try {
            prepared.start();
            prepared.await();
        } catch (PeerFailedException failed) {
            tell(job, failed);
            prepared.close();
        }
    }

    private static void run(Hayate job, TaskGraph graph) {
        try {
            graph.run(Runnable::run);
        } catch (PeerFailedException failed) {
            tell(job, failed);
        }
    }

    /** Tasks that end when the victim is known to be dead, and then give their outputs to it. */
    private static TaskGraph outputs(Hayate job, Ompl ompl) {
        TaskGraph graph = new TaskGraph(job, ompl, 0);
        graph.task("gives", () -> {
            ready(job);
            try {
                ompl.await(3072);
            } catch (PeerFailedException expected) {
                // as a program that can do without some ranks
            }
        }).makes(new Region(2112 + 64L * job.rank(), 8, 2144 + 64L * job.rank()), 1,
                job.size() - 1);
        return graph;
    }

    /** A task of the victim, for which those of all others wait. */
    private static TaskGraph graph(Hayate job, Ompl ompl, Task.Body body) {
        int victim = job.size() - 1;
        Region region = new Region(2048, 8, 2080);
        TaskGraph graph = new TaskGraph(job, ompl, 0);
        if (job.rank() == victim) {
            graph.task("never", body).makes(region, 1, IntStream.range(0, victim).toArray());
        } else {
            graph.task("waits", body).needs(region, 1);
        }
        return graph;
    }

    private static void awaitFlag(Hayate job, Ompl ompl) {
        ready(job);
        try {
            ompl.await(0);
        } catch (PeerFailedException failed) {
            tell(job, failed);
        }
    }

    private static void exchange(Hayate job, BlacsGrid grid, String operation, int victim) {
        Section section = Section.of(Span.of(new double[100_000]), Element.DOUBLE, 1000, 100);
        ready(job);
        try {
            switch (operation) {
                case "blacs sum" -> grid.sum(Scope.ROW, section);
                case "blacs receive" -> grid.receive(section, 0, victim);
                case "blacs bcast" -> grid.bcast(Scope.ALL, section, 0, victim);
                default -> throw new IllegalArgumentException(operation);
            }
        } catch (PeerFailedException failed) {
            tell(job, failed);
        }
    }

    private static void tell(Hayate job, PeerFailedException failed) {
        long now = System.nanoTime();
        System.out.println("FAILED " + job.rank() + " " + failed.peer() + " " + now);
        System.out.println("REASON " + failed.reason());
    }

    private static void ready(Hayate job) {
        System.out.println("READY " + job.rank() + " " + ProcessHandle.current().pid());
    }

    private static void fail(Hayate job, Fmpl fmpl, String act) {
        ready(job);
        System.out.println("ACT " + System.nanoTime());
        act(job, fmpl, act);
    }

    private static void act(Hayate job, Fmpl fmpl, String act) {
        switch (act) {
            case "sleep" -> sleepForEver();
            case "stream" -> receiveForEver(job, fmpl);
            case "exit" -> System.exit(3);
            case "abort" -> job.abort(5, "the matrix is singular");
            case "leave" -> job.close();
            default -> throw new IllegalArgumentException(act);
        }
    }

    private static void sleepForEver() {
        while (true) {
            LockSupport.park();
        }
    }

    private static void receiveForEver(Hayate job, Fmpl fmpl) {
        Span memory = Span.of(Rank.direct(4 << 20));
        while (true) {
            for (int from = 0; from < job.size() - 1; from++) {
                fmpl.recv(memory, from, 0);
            }
        }
    }

    private static void work(Hayate job, Fmpl fmpl, String operation, int victim) {
        Span memory = Span.of(Rank.direct(4 << 20));
        Span array = Span.of(new double[100_000]);
        ready(job);
        try {
            switch (operation) {
                case "recv" -> fmpl.recv(memory, victim, 0);
                case "limited recv" -> fmpl.recv(memory, victim, 0, Duration.ofHours(1));
                case "probe" -> fmpl.probe(victim, 0);
                case "any source" -> fmpl.anySource(0).recv(memory);
                case "irecv" -> fmpl.irecv(array, victim, 0).await();
                case "waitAny" -> waitAny(
                        fmpl, fmpl.irecv(memory, victim, 0), fmpl.irecv(array, victim, 1));
                case "send" -> fmpl.send(memory, victim, 0);
                case "array" -> fmpl.send(array, victim, 0);
                case "sends" -> send(fmpl, memory, victim);
                case "small sends" -> send(fmpl, Span.of(new byte[8]), victim);
                case "allreduce" -> fmpl.allreduce(array, Reduction.DOUBLE_SUM);
                case "bcast" -> fmpl.bcast(array, victim);
                case "barrier" -> fmpl.barrier();
                case "init" -> Fmpl.init(job);
                case "create" -> fmpl.create(true);
                case "split" -> fmpl.world().split(0, 0);
                default -> throw new IllegalArgumentException(operation);
            }
        } catch (PeerFailedException failed) {
            tell(job, failed);
        }
    }

    private static void waitAny(Fmpl fmpl, Request... requests) {
        requests[fmpl.waitAny(requests)].await();
    }

    private static void send(Fmpl fmpl, Span memory, int victim) {
        while (true) {
            fmpl.send(memory, victim, 0);
        }
    }
}
