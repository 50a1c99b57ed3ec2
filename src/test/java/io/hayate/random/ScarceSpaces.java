// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static io.hayate.random.Scarce.again;
import static io.hayate.random.ScarceMessages.equal;
import static io.hayate.random.ScarceMessages.pattern;
import static io.hayate.random.ScarceMessages.same;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.OmplPiece;
import io.hayate.PeerFailedException;
import io.hayate.Span;
import io.hayate.random.Scarce.Trial;
import io.hayate.tasks.Region;
import io.hayate.tasks.TaskException;
import io.hayate.tasks.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Global address spaces, and task graphs on them. */
final class ScarceSpaces {
    private static final int BYTES = 64 << 10;
    private static final int LENGTH = 5000;
    private static final int AT = 4096;
    /** Behind the bytes that graphs take. */
    private static final int FLAG = TaskGraph.CONTROL_BYTES;

    static Map<String, Scarce> all() {
        Map<String, Scarce> all = new TreeMap<>();
        all.put("Ompl.open", ScarceSpaces::open);
        all.put("Ompl.open together", place -> place.making(job -> Ompl.open(job, BYTES)));
        all.put("Ompl.close", ScarceSpaces::close);
        all.put("put", place -> put(place, Ompl::put));
        all.put("putStart", place -> put(place, Ompl::putStart));
        all.put("putVector", place -> put(place, (ompl, span, target, at) -> ompl.putVector(target,
                List.of(new OmplPiece(span.slice(0, 100), at),
                        new OmplPiece(span.slice(100, LENGTH - 100), at + 100)))));
        all.put("get", place -> get(place, Ompl::get));
        all.put("getStart", place -> get(place, Ompl::getStart));
        all.put("getVector", place -> get(place, (ompl, span, target, at) -> ompl.getVector(target,
                List.of(new OmplPiece(span, at)))));
        all.put("putSignal", ScarceSpaces::signal);
        all.put("fetchAdd", ScarceSpaces::add);
        all.put("waitUntil", ScarceSpaces::await);
        all.put("TaskGraph.run", ScarceSpaces::graph);
        return all;
    }

    private static List<Ompl> spaces(Place place) throws Exception {
        return place.each(job -> Ompl.open(job, BYTES));
    }

    private static Trial open(Place place) {
        Hayate job = place.alone();
        Fmpl fmpl = Fmpl.init(job, 2);
        long free = job.heapFree();
        Ompl[] ompl = new Ompl[1];
        return again(() -> ompl[0] = Ompl.open(job, BYTES), () -> {
            ompl[0].put(Span.of(pattern(LENGTH)), 0, AT);
            ompl[0].flush(0);
            ompl[0].close();
            fmpl.create(false);
            fmpl.create(false);
            Place.awaitFree(job, free);
        });
    }

    /** The heaps have the memory of closed spaces back. */
    private static void meet(Place place) throws Exception {
        for (int i = 0; i < 2; i++) {
            place.each(job -> {
                place.fmpl(job.rank()).create(false);
                return null;
            });
        }
    }

    private static Trial close(Place place) throws Exception {
        long free = place.job().heapFree();
        List<Ompl> spaces = spaces(place);
        return again(spaces.get(0)::close, () -> {
            spaces.forEach(Ompl::close);
            meet(place);
            Place.awaitFree(place.job(), free);
        });
    }

    /** Moves bytes. */
    private interface Move {
        void run(Ompl ompl, Span span, int target, long at);
    }

    private static Trial put(Place place, Move move) throws Exception {
        List<Ompl> spaces = spaces(place);
        int target = place.ranks() - 1;
        HeapSpan out = place.job().allocate(LENGTH);
        out.buffer().put(pattern(LENGTH));
        return again(() -> move.run(spaces.get(0), out, target, AT), () -> {
            spaces.get(0).flush(target);
            byte[] in = new byte[LENGTH];
            spaces.get(target).memory().buffer(AT, LENGTH).get(in);
            same(pattern(LENGTH), in);
            out.close();
            spaces.forEach(Ompl::close);
        });
    }

    private static Trial get(Place place, Move move) throws Exception {
        List<Ompl> spaces = spaces(place);
        int target = place.ranks() - 1;
        spaces.get(target).memory().buffer(AT, LENGTH).put(pattern(LENGTH));
        byte[] in = new byte[LENGTH];
        Span span = Span.of(in);
        return again(() -> move.run(spaces.get(0), span, target, AT), () -> {
            spaces.get(0).flush();
            same(pattern(LENGTH), in);
            spaces.forEach(Ompl::close);
        });
    }

    private static Trial signal(Place place) throws Exception {
        List<Ompl> spaces = spaces(place);
        int target = place.ranks() - 1;
        Span out = Span.of(pattern(LENGTH));
        return again(() -> spaces.get(0).putSignal(out, target, AT, FLAG, 7), () -> {
            spaces.get(target).waitUntil(FLAG, Ompl.Comparison.EQ, 7);
            byte[] in = new byte[LENGTH];
            spaces.get(target).memory().buffer(AT, LENGTH).get(in);
            same(pattern(LENGTH), in);
            spaces.forEach(Ompl::close);
        });
    }

    /** An atomic that threw has either been done or not, but none is done by halves or twice. */
    private static Trial add(Place place) throws Exception {
        List<Ompl> spaces = spaces(place);
        int target = place.ranks() - 1;
        return new Trial(() -> spaces.get(0).fetchAdd(target, FLAG, 5), done -> {
            long now = spaces.get(target).load(FLAG);
            if (now != 5 && (done || now != 0)) {
                throw new AssertionError("5 added to 0 makes " + now);
            }
            spaces.forEach(Ompl::close);
        });
    }

    private static Trial await(Place place) throws Exception {
        List<Ompl> spaces = spaces(place);
        boolean[] seen = new boolean[1];
        Duration brief = Duration.ofMillis(1);
        return again(() -> seen[0] = spaces.get(0).waitUntil(FLAG, Ompl.Comparison.GT, 3, brief),
                () -> {
                    spaces.get(place.ranks() - 1).putFlag(0, FLAG, 4);
                    spaces.get(0).waitUntil(FLAG, Ompl.Comparison.EQ, 4);
                    spaces.forEach(Ompl::close);
                });
    }

    /**
     * Each rank's first task gives all others a region, each one's second sums up. When the ranks
     * are over, with whatever, none of them is left behind.
     */
    private static Trial graph(Place place) throws Exception {
        List<Ompl> spaces = spaces(place);
        List<TaskGraph> graphs = new ArrayList<>();
        long[] sums = new long[place.ranks()];
        for (int rank = 0; rank < place.ranks(); rank++) {
            graphs.add(graph(place, spaces.get(rank), rank, sums));
        }
        HardyPool pool = new HardyPool(2);
        boolean[] failed = new boolean[place.ranks()];
        for (int rank = 1; rank < place.ranks(); rank++) {
            int other = rank;
            place.waiting(() -> failed[other] = fails(place, other, graphs.get(other), pool));
        }
        return new Trial(() -> failed[0] = fails(place, 0, graphs.get(0), pool), done -> {
            place.finishPartners();
            boolean all = true;
            for (boolean each : failed) {
                all &= !each;
            }
            for (long sum : sums) {
                if (all) {
                    equal((long) place.ranks() * (place.ranks() + 1) / 2, sum, "sum");
                }
            }
            pool.shutdown();
            spaces.forEach(Ompl::close);
        });
    }

    /**
     * Who has no memory for the graph leaves, so that those who wait for it are told; and so do
     * these, as others may wait for them alone. A task's failure is told to all.
     */
    private static boolean fails(Place place, int rank, TaskGraph graph, HardyPool pool) {
        boolean together = false;
        try {
            graph.run(pool);
            together = true;
            return false;
        } catch (TaskException failed) {
            together = true;
            return true;
        } catch (PeerFailedException | OutOfMemoryError alone) {
            return true;
        } finally {
            if (!together) {
                place.job(rank).close();
            }
        }
    }

    private static TaskGraph graph(Place place, Ompl ompl, int rank, long[] sums) {
        TaskGraph graph = new TaskGraph(place.job(rank), ompl, 0);
        int ranks = place.ranks();
        int[] everybody = new int[ranks];
        Region[] regions = new Region[ranks];
        for (int i = 0; i < ranks; i++) {
            everybody[i] = i;
            regions[i] = new Region(AT + 8L * i, 8, FLAG + (long) i * Ompl.FLAG_BYTES);
        }
        graph.task("give", () -> ompl.memory().putLong(regions[rank].at(), rank + 1))
                .makes(regions[rank], 1, everybody);
        var sum = graph.task("sum", () -> {
            for (Region each : regions) {
                sums[rank] += ompl.memory().getLong(each.at());
            }
        });
        for (Region each : regions) {
            sum.needs(each, 1);
        }
        return graph;
    }
}
