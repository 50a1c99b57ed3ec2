// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of what a space has started with far ranks and not completed: it stays reachable, and its
 * heap span refuses to be closed, until a flush that began behind the operation is over. Before the
 * operation it is held, behind it noted or released. A flush takes nothing away before it has
 * succeeded, so that several may be under way: who returns from one finds its memory free.
 */
final class OmplStarted {
    /** So many may be under way with a rank; then it is flushed. */
    static final int MOST = 1024;

    private final Map<Integer, Row> byTarget = new ConcurrentHashMap<>();

    /** Of one rank, in the order in which it was noted. */
    private static final class Row {
        private final Deque<Span> spans = new ArrayDeque<>();
        private long completed;

        synchronized int add(Span span) {
            spans.add(span);
            return spans.size();
        }

        synchronized long end() {
            return completed + spans.size();
        }

        synchronized void complete(long end) {
            for (; completed < end; completed++) {
                release(spans.remove());
            }
        }
    }

    /** Before the operation. */
    static void hold(Span span) {
        if (span.root != null) {
            span.root.pin();
        }
    }

    /** It did not begin. */
    static void release(Span span) {
        if (span.root != null) {
            span.root.unpin();
        }
    }

    /** It has begun; whether it is time for a flush. */
    boolean note(int target, Span span) {
        return byTarget.computeIfAbsent(target, rank -> new Row()).add(span) >= MOST;
    }

    /** What a flush that begins now completes, of all ranks with target -1: where each row ends. */
    Map<Integer, Long> underWay(int target) {
        if (byTarget.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Long> ends = new HashMap<>();
        for (Integer rank : target < 0 ? byTarget.keySet() : Set.of(target)) {
            Row row = byTarget.get(rank);
            if (row != null) {
                ends.put(rank, row.end());
            }
        }
        return ends;
    }

    /** The flush that began then has succeeded. */
    void complete(Map<Integer, Long> ends) {
        ends.forEach((target, end) -> byTarget.get(target).complete(end));
    }
}
