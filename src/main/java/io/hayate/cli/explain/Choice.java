// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request and its candidates.
 *
 * @param ask the request as the library understood it
 * @param model the cost model of the times
 * @param hints the hints in use, in order of precedence
 * @param notes warnings, and what the prediction does not contain
 * @param total number of candidates
 * @param candidates the first of them, fastest first
 */
public record Choice(Ask ask, Model model, List<Hint> hints, List<String> notes, int total,
        List<Candidate> candidates) {
    /**
     * A collective.
     *
     * @param collective its name
     * @param ranks number of ranks in the communicator
     * @param root the root, or 0
     * @param bytes size of all data, or of the block of a rank
     * @param element bytes of an element
     * @param kind "persistent" or "ordinary"
     * @param memory "heap" or "outside"
     * @param nodes number of nodes
     * @param net network between them, such as "tcp"
     */
    public record Ask(String collective, int ranks, int root, long bytes, long element,
            String kind, String memory, int nodes, String net) {
        static Ask of(Fields f) {
            return new Ask(f.text(), f.count(), f.count(), f.number(), f.number(), f.text(),
                    f.text(), f.count(), f.text());
        }
    }

    /**
     * The cost model of a machine.
     *
     * @param tuned whether its terms were measured on this machine
     * @param cpus number of CPUs that all ranks share
     * @param file file of the terms
     */
    public record Model(boolean tuned, int cpus, String file) {
        static Model of(Fields f) {
            return new Model(f.text().equals("tuned"), f.count(), f.text());
        }
    }

    /**
     * A hint.
     *
     * @param whose its source, such as "HAYATE_COLL"
     * @param text its words, such as "algorithm=ring"
     */
    public record Hint(String whose, String text) {
        static Hint of(Fields f) {
            return new Hint(f.text(), f.text());
        }
    }

    static Choice of(String text) {
        Ask ask = null;
        Model model = null;
        int total = 0;
        List<Hint> hints = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Candidate> candidates = new ArrayList<>();
        for (String line : text.split("\n")) {
            Fields fields = new Fields(line);
            switch (fields.text()) {
                case "ask" -> ask = Ask.of(fields);
                case "model" -> model = Model.of(fields);
                case "hint" -> hints.add(Hint.of(fields));
                case "note" -> notes.add(fields.text());
                case "total" -> total = fields.count();
                case "candidate" -> candidates.add(Candidate.of(fields));
                default -> throw new IllegalStateException("unknown record: " + line);
            }
        }
        return new Choice(ask, model, hints, notes, total, candidates);
    }

    /**
     * Returns the chosen candidate.
     *
     * @return number 0
     */
    public Candidate chosen() {
        return candidates.get(0);
    }

    /**
     * Returns the values for JSON.
     *
     * @return names and values in their order
     */
    public Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("collective", ask.collective());
        map.put("ranks", ask.ranks());
        map.put("root", ask.root());
        map.put("bytes", ask.bytes());
        map.put("element", ask.element());
        map.put("kind", ask.kind());
        map.put("memory", ask.memory());
        map.put("nodes", ask.nodes());
        map.put("net", ask.net());
        map.put("model", model.tuned() ? "tuned" : "default");
        map.put("cpus", model.cpus());
        map.put("hints", hints.stream().map(hint -> Map.of("whose", hint.whose(), "hint",
                hint.text())).toList());
        map.put("notes", notes);
        map.put("candidates_total", total);
        map.put("candidates", candidates.stream().map(Candidate::json).toList());
        return map;
    }
}
