// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Span;
import io.hayate.tasks.TaskTrace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Sends the trace of the tasks of each rank to all ranks, as one line of text per task. */
final class TraceGathering {
    private TraceGathering() {
    }

    /** Collective. */
    static List<TaskTrace> all(Fmpl fmpl, List<TaskTrace> mine) {
        byte[] text = mine.stream().map(TraceGathering::line).collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
        List<TaskTrace> all = new ArrayList<>();
        for (int rank = 0; rank < fmpl.world().size(); rank++) {
            int[] length = {text.length};
            fmpl.bcast(Span.of(length), rank);
            byte[] bytes = rank == fmpl.world().rank() ? text : new byte[length[0]];
            if (bytes.length > 0) {
                fmpl.bcast(Span.of(bytes), rank);
            }
            new String(bytes, StandardCharsets.UTF_8).lines().map(TraceGathering::parse)
                    .forEach(all::add);
        }
        return all;
    }

    private static String line(TaskTrace one) {
        return String.join("\t", String.valueOf(one.rank()), one.task(), one.waited(),
                String.valueOf(one.waitedRank()), String.valueOf(one.ready()),
                String.valueOf(one.start()), String.valueOf(one.end())) + "\n";
    }

    private static TaskTrace parse(String line) {
        String[] words = line.split("\t");
        return new TaskTrace(Integer.parseInt(words[0]), words[1], words[2],
                Integer.parseInt(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5]),
                Long.parseLong(words[6]));
    }
}
