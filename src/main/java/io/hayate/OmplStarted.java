// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of what a space has started with far ranks and not completed: it stays reachable, and its
 * heap span refuses to be closed, until the flush.
 */
final class OmplStarted {
    /** So many may be under way with a rank; then it is flushed. */
    static final int MOST = 1024;

    private final Map<Integer, List<Span>> byTarget = new ConcurrentHashMap<>();

    /** Before the operation begins; whether it is time for a flush. */
    boolean begin(int target, Span span) {
        if (span.root != null) {
            span.root.pin();
        }
        int[] count = new int[1];
        byTarget.compute(target, (rank, spans) -> {
            List<Span> all = spans == null ? new ArrayList<>() : spans;
            all.add(span);
            count[0] = all.size();
            return all;
        });
        return count[0] >= MOST;
    }

    /** It did not begin. */
    void withdraw(int target, Span span) {
        byTarget.computeIfPresent(target, (rank, spans) -> {
            spans.remove(spans.lastIndexOf(span));
            return spans;
        });
        unpin(span);
    }

    /** What a flush that begins now completes, of all ranks with target -1. */
    Map<Integer, List<Span>> take(int target) {
        Map<Integer, List<Span>> taken = new HashMap<>();
        for (Integer rank : target < 0 ? Set.copyOf(byTarget.keySet()) : Set.of(target)) {
            List<Span> spans = byTarget.remove(rank);
            if (spans != null) {
                taken.put(rank, spans);
            }
        }
        return taken;
    }

    /** The flush failed: nobody knows when their memory is not used any more. */
    void putBack(Map<Integer, List<Span>> taken) {
        taken.forEach((target, spans) -> byTarget.merge(target, spans, (now, before) -> {
            now.addAll(before);
            return now;
        }));
    }

    static void complete(Map<Integer, List<Span>> taken) {
        taken.values().forEach(spans -> spans.forEach(OmplStarted::unpin));
    }

    private static void unpin(Span span) {
        if (span.root != null) {
            span.root.unpin();
        }
    }
}
