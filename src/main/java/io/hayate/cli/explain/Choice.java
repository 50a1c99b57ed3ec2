// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was asked for, and the candidates.
 *
 * @param ask as the library understood it
 * @param model what the times come from
 * @param hints that count, the strongest first
 * @param notes what is not as it should be
 * @param total candidates there are
 * @param candidates the first of them, fastest first
 */
public record Choice(Ask ask, Model model, List<Hint> hints, List<String> notes, int total,
        List<Candidate> candidates) {
    /**
     * A collective.
     *
     * @param collective its name
     * @param ranks in the communicator
     * @param root 0 where there is none
     * @param bytes of the whole, or of a rank's own block
     * @param element bytes of an element
     * @param kind "persistent" or "ordinary"
     * @param memory "heap" or "outside"
     * @param nodes that the ranks are on
     * @param net between them, "tcp"
     */
    public record Ask(String collective, int ranks, int root, long bytes, long element,
            String kind, String memory, int nodes, String net) {
        static Ask of(Fields f) {
            return new Ask(f.text(), f.count(), f.count(), f.number(), f.number(), f.text(),
                    f.text(), f.count(), f.text());
        }
    }

    /**
     * Terms of a machine.
     *
     * @param tuned measured here
     * @param cpus shared by all ranks
     * @param file of the terms
     */
    public record Model(boolean tuned, int cpus, String file) {
        static Model of(Fields f) {
            return new Model(f.text().equals("tuned"), f.count(), f.text());
        }
    }

    /**
     * Somebody's.
     *
     * @param whose "HAYATE_COLL"
     * @param text "algorithm=ring"
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
     * The one that is taken.
     *
     * @return number 0
     */
    public Candidate chosen() {
        return candidates.get(0);
    }

    /**
     * As JSON.
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
