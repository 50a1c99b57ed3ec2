// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of ranks.
 *
 * @param run the simulated run; empty if it was too long to simulate
 * @param ranks the loads of the ranks
 * @param steps the steps by rank, in the order of each rank
 * @param more number of steps that are not listed
 */
public record Steps(Optional<Run> run, List<RankLoad> ranks, List<Step> steps, long more) {
    static Steps of(String text) {
        Run run = null;
        long more = 0;
        List<RankLoad> ranks = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (String line : text.split("\n")) {
            Fields fields = new Fields(line);
            switch (fields.text()) {
                case "run" -> run = Run.of(fields);
                case "rank" -> ranks.add(RankLoad.of(fields));
                case "step" -> steps.add(Step.of(fields));
                case "more" -> more = fields.number();
                default -> throw new IllegalStateException("unknown record: " + line);
            }
        }
        steps.sort((a, b) -> Integer.compare(a.rank(), b.rank())); // stable
        return new Steps(Optional.ofNullable(run), ranks, steps, more);
    }

    /**
     * Returns when the last step is complete.
     *
     * @return microseconds
     */
    public double end() {
        return steps.stream().mapToDouble(Step::end).max().orElse(0);
    }

    /**
     * Returns the values for JSON. @param listed the steps themselves, too @return names and values
     * in their order
     */
    public Map<String, Object> json(boolean listed) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("run", run.map(Run::json).orElse(null));
        map.put("rank_loads", ranks.stream().map(RankLoad::json).toList());
        if (listed) {
            map.put("steps", steps.stream().map(Step::json).toList());
            map.put("steps_not_listed", more);
        }
        return map;
    }
}
