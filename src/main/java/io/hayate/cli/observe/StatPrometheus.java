// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.job.JobCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counters in the text format of Prometheus (version 0.0.4): {@code hayate stat --prometheus}. */
final class StatPrometheus {
    /** What each counter counts. */
    private static final Map<String, String> HELP = help();

    private StatPrometheus() {
    }

    private static Map<String, String> help() {
        Map<String, String> help = new LinkedHashMap<>();
        help.put("sent", "Messages sent.");
        help.put("bytes_sent", "Bytes of the messages sent.");
        help.put("received", "Messages received.");
        help.put("bytes_received", "Bytes of the messages received.");
        help.put("eager", "Messages sent through an eager buffer.");
        help.put("heap", "Long messages moved by loads and stores of the symmetric heap.");
        help.put("cma", "Long messages moved by a single copy of the kernel.");
        help.put("pipeline", "Long messages moved in blocks through shared memory.");
        help.put("buffered", "Sends copied into the send buffer.");
        help.put("collectives", "Collectives begun.");
        help.put("sleeps", "Waits that went to sleep.");
        help.put("direct", "Long messages moved by loads and stores in one address space.");
        help.put("eager_held", "Bytes of the heap that eager buffers take now.");
        help.put("puts", "Puts into the global space.");
        help.put("bytes_put", "Bytes put into the global space.");
        help.put("gets", "Gets from the global space.");
        help.put("bytes_got", "Bytes got from the global space.");
        help.put("flags", "Flags and words written into the global space.");
        help.put("atomics", "Atomics on words of the global space.");
        help.put("endpoint_waits", "Calls that found no endpoint free.");
        help.put("lanes_held", "Bytes that lanes of endpoints to other nodes take now.");
        help.put("commands", "Commands that the delegatee has begun for the rank.");
        help.put("command_bytes", "Bytes of the commands that the delegatee has begun.");
        return help;
    }

    /** Returns what a counter counts; null: unknown. */
    static String helpOf(String name) {
        return HELP.get(name);
    }

    /** All metrics of the ranks of this node. Numbers of ranks of other nodes are counted there. */
    static String text(List<String> names, List<JobCounters.Rank> ranks) {
        List<JobCounters.Rank> here = ranks.stream()
                .filter(rank -> !rank.state().equals("elsewhere")).toList();
        StringBuilder text = new StringBuilder();
        begin(text, "hayate_rank_joined", "gauge", "1 while the rank is in the job, otherwise 0.");
        for (JobCounters.Rank rank : here) {
            sample(text, "hayate_rank_joined", Map.of("rank", rank.rank(), "state",
                    JobCounters.describe(rank)), rank.state().equals("joined") ? 1 : 0);
        }
        for (String name : names) {
            boolean gauge = StatReport.GAUGES.contains(name);
            String metric = "hayate_" + name + (gauge ? "" : "_total");
            begin(text, metric, gauge ? "gauge" : "counter",
                    HELP.getOrDefault(name, "Counter " + name + "."));
            here.forEach(rank -> sample(text, metric, Map.of("rank", rank.rank()),
                    rank.count(name)));
        }
        return text.toString();
    }

    private static void begin(StringBuilder text, String metric, String type, String help) {
        text.append("# HELP ").append(metric).append(' ')
                .append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n')
                .append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    }

    static void sample(StringBuilder text, String metric, Map<String, ?> labels, long value) {
        text.append(metric);
        String separator = "{";
        for (String label : labels.keySet().stream().sorted().toList()) {
            text.append(separator).append(label).append("=\"")
                    .append(escaped(labels.get(label).toString())).append('"');
            separator = ",";
        }
        text.append(labels.isEmpty() ? " " : "} ").append(value).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
