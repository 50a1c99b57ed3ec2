// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.output.Json;
import io.hayate.internal.bindings.FlightBinding.Operation;
import io.hayate.internal.bindings.FlightBinding.View;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the flight recorders of ranks: {@code hayate flight}. */
final class FlightReport {
    private static final int WIDTH = 80;
    private static final long SECOND = 1_000_000_000;
    private static final double NANOS = 1e9;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter
            .ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private FlightReport() {
    }

    /** The ranks one after the other, and at the end who is behind. */
    static String text(List<View> views, int last) {
        StringBuilder text = new StringBuilder();
        for (View view : views) {
            List<Operation> shown = shown(view, last);
            text.append(wrapped(heading(view, shown.size()), 2));
            if (!shown.isEmpty()) {
                text.append("      before   thread  operation\n");
            }
            for (Operation operation : shown) {
                String line = String.format(Locale.ROOT, "%12s %8d  %s", ago(view, operation),
                        operation.thread(), FlightWords.of(view, operation));
                text.append(wrapped(line, 25));
            }
            text.append('\n');
        }
        if (views.size() > 1) {
            FlightProgress.of(views).forEach(line -> text.append(wrapped(line, 2)));
        }
        return text.toString();
    }

    /** The last operations, and before them those that have not ended. */
    static List<Operation> shown(View view, int last) {
        List<Operation> shown = new ArrayList<>();
        List<Operation> all = view.operations();
        for (int i = 0; i < all.size(); i++) {
            if (i >= all.size() - last || !all.get(i).ended()) {
                shown.add(all.get(i));
            }
        }
        return shown;
    }

    private static String heading(View view, int shown) {
        String state = view.lives() ? "in the job" : view.left() ? "left the job at " + seen(view)
                : "dead, last seen at " + seen(view);
        String damaged = view.damaged() == 0 ? "" : "; " + view.damaged() + " damaged records";
        return String.format(Locale.ROOT, "rank %d of %d, process %d on %s: %s; %d of %d operations"
                + "%s", view.rank(), view.size(), view.pid(), view.host(), state, shown,
                view.begun(), damaged);
    }

    private static String seen(View view) {
        long nanos = view.seenEpochNanos();
        return CLOCK.format(Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND),
                Math.floorMod(nanos, SECOND)));
    }

    private static String ago(View view, Operation operation) {
        return FlightWords.duration(Math.max(0, view.seenNanos() - operation.startNanos()));
    }

    /** Breaks a line at a comma if it is too long. */
    static String wrapped(String line, int indent) {
        StringBuilder text = new StringBuilder();
        String rest = line;
        while (rest.length() > WIDTH) {
            int at = Math.max(rest.lastIndexOf(", ", WIDTH - 1), Math.max(
                    rest.lastIndexOf(": ", WIDTH - 1), rest.lastIndexOf("; ", WIDTH - 1)));
            if (at <= indent) {
                break;
            }
            text.append(rest, 0, at + 1).append('\n');
            rest = " ".repeat(indent) + rest.substring(at + 2);
        }
        return text.append(rest).append('\n').toString();
    }

    /** An object for each rank, which its operations follow. */
    static String json(List<View> views, int last) {
        StringBuilder lines = new StringBuilder();
        for (View view : views) {
            List<Operation> shown = shown(view, last);
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("rank", view.rank());
            line.put("ranks", view.size());
            line.put("pid", view.pid());
            line.put("host", view.host());
            line.put("lives", view.lives());
            line.put("left", view.left());
            line.put("seen", seen(view));
            line.put("begun", view.begun());
            line.put("shown", shown.size());
            line.put("damaged", view.damaged());
            lines.append(Json.of(line)).append('\n');
            shown.forEach(o -> lines.append(Json.of(object(view, o))).append('\n'));
        }
        return lines.toString();
    }

    private static Map<String, Object> object(View view, Operation operation) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("rank", view.rank());
        line.put("thread", operation.thread());
        line.put("before_s", (view.seenNanos() - operation.startNanos()) / NANOS);
        line.put("operation", operation.kind());
        line.put("collective", operation.collective());
        line.put("peer", operation.peer() < 0 ? null : operation.peer());
        line.put("place", operation.place());
        line.put("bytes", operation.bytes());
        line.put("number", operation.number());
        line.put("way", operation.way());
        line.put("took_ns", operation.ended() ? operation.tookNanos() : null);
        line.put("error", operation.code() == 0 ? null : FlightWords.error(operation));
        line.put("text", FlightWords.of(view, operation));
        return line;
    }
}
