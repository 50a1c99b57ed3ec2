// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.job.Delegatee;
import io.hayate.cli.output.ByteSizes;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Formats the result of {@code hayate info} as text. */
final class InfoText {
    private static final String INDENT = "  ";

    private final Map<String, Object> info;
    private final StringBuilder out = new StringBuilder();

    InfoText(Map<String, Object> info) {
        this.info = info;
    }

    @Override
    public String toString() {
        if (info.containsKey("version")) {
            addBuild();
        }
        if (info.containsKey("paths")) {
            addMachine();
        }
        if (info.containsKey("job")) {
            addJob();
        }
        return out.toString();
    }

    private void addBuild() {
        out.append("Hayate ").append(info.get("version")).append('\n');
        line("from", info.get("origin"));
        line("launcher", info.get("launcher"));
        line("Java", info.get("java"));
        line("system", info.get("system"));
        Map<String, Object> library = map("library");
        if (Objects.equals(library.get("usable"), true)) {
            line("library", "version " + library.get("version") + ", abi " + library.get("abi"));
        } else {
            line("library", "NOT USABLE: " + library.get("reason"));
        }
    }

    private void addMachine() {
        Map<String, Object> heap = map("heap");
        line("heap", (heap.get("setting") == null ? "" : heap.get("setting") + " by HAYATE_HEAP,"
                + " ") + "default " + ByteSizes.rounded((Long) heap.get("default_bytes"))
                + " for one rank, "
                + ByteSizes.rounded((Long) heap.get("default_bytes_of_4_ranks"))
                + " for each of 4 ranks (only pages that are touched take memory)");
        line("eager limit", info.get("eager_limit"));
        Object quota = map("cpus").get("quota");
        line("CPUs", map("cpus").get("usable")
                + (quota == null ? "" : ", of which the control group grants the CPU time of "
                + quota));
        addTopology();
        out.append("\nPaths\n");
        for (Map<String, Object> path : maps(info, "paths")) {
            boolean usable = Objects.equals(path.get("usable"), true);
            line(path.get("name"), (usable ? "" : "NOT USABLE: ") + path.get("reason"));
        }
        out.append("\nLong messages (HAYATE_RENDEZVOUS is ").append(map("rendezvous").get("chosen"))
                .append(")\n");
        for (String way : List.of("direct", "heap", "cma", "pipeline")) {
            line(way, map("rendezvous").get(way));
        }
    }

    private void addTopology() {
        Map<String, Object> topology = map("topology");
        if (topology.containsKey("summary")) {
            line("topology", topology.get("summary") + " (from " + topology.get("source") + ")");
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Map<String, Object> level : maps(topology, "levels")) {
            text.append(text.length() == 0 ? "" : ", ").append(level.get("count")).append(' ')
                    .append(level.get("type"));
            String detail = level.get("detail").toString();
            text.append(detail.isEmpty() ? "" : " (" + detail + ")");
        }
        line("topology", text);
    }

    private void addJob() {
        Map<String, Object> job = map("job");
        out.append(out.length() == 0 ? "" : "\n").append("Rank ").append(job.get("rank"))
                .append(" of ").append(job.get("size")).append(" on node ").append(job.get("node"))
                .append(", process ").append(job.get("pid"))
                .append(", started by ").append(launcher(job.get("launcher")))
                .append(", heap ").append(ByteSizes.rounded((Long) job.get("heap_bytes")))
                .append('\n');
        if (job.containsKey("delegatee")) {
            line("delegated", Delegatee.text(map(job, "delegatee")));
        }
        for (Map<String, Object> peer : maps(job, "peers")) {
            line("to rank " + peer.get("rank"), peer.get("why") + "; long messages: "
                    + peer.get("long_messages"));
        }
    }

    private static String launcher(Object name) {
        return switch (name.toString()) {
            case "local" -> "hayate run";
            case "pmix" -> "a PMIx launcher";
            case "pmi1" -> "a PMI-1 launcher";
            default -> name.toString();
        };
    }

    private void line(Object name, Object text) {
        out.append(INDENT).append(String.format("%-12s ", name)).append(text).append('\n');
    }

    private Map<String, Object> map(String name) {
        return map(info, name);
    }

    @SuppressWarnings("unchecked") // all maps of InfoCommand and JobInfo are of this type
    private static Map<String, Object> map(Map<String, Object> from, String name) {
        return (Map<String, Object>) from.getOrDefault(name, Map.of());
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(Map<String, Object> from, String name) {
        return (List<Map<String, Object>>) from.get(name);
    }
}
