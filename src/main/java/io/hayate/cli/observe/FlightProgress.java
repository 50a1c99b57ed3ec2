// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.internal.bindings.FlightBinding.Operation;
import io.hayate.internal.bindings.FlightBinding.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The last collective that each rank has reached on the world communicator: there, and only there,
 * all ranks call the same ones, with the same numbers.
 */
final class FlightProgress {
    private FlightProgress() {
    }

    /** Lines for all ranks, those that are behind first. */
    static List<String> of(List<View> views) {
        Map<Long, List<String>> reached = new TreeMap<>();
        List<String> none = new ArrayList<>();
        for (View view : views) {
            Operation last = last(view);
            if (last == null) {
                none.add(Integer.toString(view.rank()));
                continue;
            }
            reached.computeIfAbsent(last.number(), number -> new ArrayList<>())
                    .add(view.rank() + (last.ended() ? " (ended)" : ""));
        }
        List<String> lines = new ArrayList<>();
        lines.add("collectives on the world communicator,"
                + " by the last one that a rank has reached:");
        long most = reached.isEmpty() ? 0 : ((TreeMap<Long, ?>) reached).lastKey();
        reached.forEach((number, ranks) -> lines.add("  " + name(views, number) + " #" + number
                + ": rank " + String.join(", ", ranks) + (number < most ? "; behind" : "")));
        if (!none.isEmpty()) {
            lines.add("  none in the recorder: rank " + String.join(", ", none));
        }
        String missing = missing(views);
        if (!missing.isEmpty()) {
            lines.add("  not here: rank " + missing);
        }
        return lines;
    }

    private static Operation last(View view) {
        Operation last = null;
        for (Operation operation : view.operations()) {
            if (operation.kind().equals("collective") && operation.place() == 0) {
                last = last == null || operation.number() >= last.number() ? operation : last;
            }
        }
        return last;
    }

    private static String name(List<View> views, long number) {
        return views.stream().map(FlightProgress::last)
                .filter(last -> last != null && last.number() == number)
                .map(Operation::collective).distinct().collect(Collectors.joining(" or "));
    }

    /** Ranks of other nodes, or whose files were removed. A damaged file may name any size. */
    private static String missing(List<View> views) {
        List<Integer> here = views.stream().map(View::rank).sorted().distinct().toList();
        List<String> ranges = new ArrayList<>();
        int next = 0;
        for (int i = 0; i <= here.size(); i++) {
            int end = i < here.size() ? here.get(i) : views.get(0).size();
            if (end > next) {
                ranges.add(end == next + 1 ? Integer.toString(next) : next + " to " + (end - 1));
            }
            next = end + 1;
        }
        return String.join(", ", ranges);
    }
}
