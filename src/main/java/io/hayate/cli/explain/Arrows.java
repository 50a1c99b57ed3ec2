// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which signals a picture of steps shows: all of them, or those that the end depended on. */
final class Arrows {
    /** The largest number of readable arrows. */
    static final int MOST = 64;

    /** A signal, and the wait that receives it. */
    record Arrow(Step signal, Step receipt) {
    }

    private record Way(int from, int to) {
    }

    private final Map<Step, Arrow> received = new HashMap<>();
    private final Map<Integer, List<Step>> waits = new HashMap<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private final List<Arrow> shown;
    private final double instant;

    /**
     * Chooses them.
     *
     * @param steps those of all ranks
     * @param instant a wait up to this time, in us, did not have to wait
     */
    Arrows(List<Step> steps, double instant) {
        this.instant = instant;
        pair(steps);
        shown = arrows.size() <= MOST ? arrows : criticalPath(steps);
    }

    List<Arrow> shown() {
        return shown;
    }

    boolean showsAll() {
        return shown.size() == arrows.size();
    }

    /** The signals of a pair of ranks are received in order. */
    private void pair(List<Step> steps) {
        Map<Way, Deque<Step>> posted = new HashMap<>();
        for (Step step : steps) {
            if (step.kind().equals("signal")) {
                posted.computeIfAbsent(new Way(step.rank(), step.peer()), way ->
                        new ArrayDeque<>()).add(step);
            }
        }
        for (Step step : steps) {
            Deque<Step> signals = posted.get(new Way(step.peer(), step.rank()));
            if (step.kind().equals("wait") && signals != null && !signals.isEmpty()) {
                Arrow arrow = new Arrow(signals.remove(), step);
                arrows.add(arrow);
                received.put(step, arrow);
                waits.computeIfAbsent(step.rank(), rank -> new ArrayList<>()).add(step);
            }
        }
    }

    /** From the last step back: what its rank waited for, what the sender of that waited for, .. */
    private List<Arrow> criticalPath(List<Step> steps) {
        List<Arrow> path = new ArrayList<>();
        Step last = steps.stream().max((a, b) -> Double.compare(a.end(), b.end())).orElseThrow();
        Arrow arrow = before(last.rank(), last.end());
        while (arrow != null && path.size() < MOST) {
            path.add(arrow);
            arrow = before(arrow.signal().rank(), arrow.signal().begin());
        }
        Collections.reverse(path);
        return path;
    }

    /** The last signal that a rank really waited for until then, or null. */
    private Arrow before(int rank, double time) {
        List<Step> ofRank = waits.getOrDefault(rank, List.of());
        for (int i = ofRank.size() - 1; i >= 0; i--) {
            Arrow arrow = received.get(ofRank.get(i));
            if (arrow.receipt().end() <= time && lasted(arrow.receipt())) {
                return arrow;
            }
        }
        return null;
    }

    private boolean lasted(Step wait) {
        return wait.end() - wait.begin() > instant;
    }
}
