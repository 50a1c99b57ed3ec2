// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lanes of a picture of steps. Many ranks that do the same at the same time share one. */
final class Lanes {
    /** Up to here each rank has a lane of its own. */
    private static final int FOLDED_FROM = 17;

    private final List<List<Integer>> lanes = new ArrayList<>();
    private final Map<Integer, Integer> places = new HashMap<>();

    /**
     * Deals the ranks out.
     *
     * @param ranks how many
     * @param steps those of all ranks
     * @param instant the time, in us, that cannot be seen in the picture
     */
    Lanes(int ranks, List<Step> steps, double instant) {
        Map<Object, List<Integer>> alike = new LinkedHashMap<>();
        Map<Integer, List<Step>> ofRank = steps.stream()
                .collect(Collectors.groupingBy(Step::rank));
        for (int rank = 0; rank < ranks; rank++) {
            Object look = ranks < FOLDED_FROM ? rank
                    : look(ofRank.getOrDefault(rank, List.of()), instant);
            alike.computeIfAbsent(look, other -> new ArrayList<>()).add(rank);
        }
        lanes.addAll(alike.values());
        for (int place = 0; place < lanes.size(); place++) {
            for (int rank : lanes.get(place)) {
                places.put(rank, place);
            }
        }
    }

    private static String look(List<Step> steps, double instant) {
        return steps.stream().map(step -> step.kind() + Math.round(step.begin() / instant) + ":"
                + Math.round(step.end() / instant)).collect(Collectors.joining(" "));
    }

    int count() {
        return lanes.size();
    }

    /** The lane of a rank, from 0. */
    int of(int rank) {
        return places.get(rank);
    }

    /** Is it the rank whose steps are drawn in its lane? */
    boolean shows(int rank) {
        return lanes.get(of(rank)).get(0) == rank;
    }

    boolean folded() {
        return lanes.size() < places.size();
    }

    String name(int lane) {
        List<Integer> ranks = lanes.get(lane);
        return "rank " + ranks.get(0) + (ranks.size() > 1 ? " +" + (ranks.size() - 1) : "");
    }
}
