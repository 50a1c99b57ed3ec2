// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.ompl;

import io.hayate.internal.job.Memory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of what a space has started with far ranks and not completed: it stays reachable, and its
 * heap span refuses to be closed, until a flush that began behind the operation is over. Before the
 * operation it is held, which may fail for want of memory; behind it noted or released, which never
 * fails. A flush takes nothing away before it has succeeded, so that several may be under way: who
 * returns from one finds its memory free.
 */
final class OmplStarted {
    /** So many may be under way with a rank; then it is flushed. */
    static final int MOST = 1024;

    private final Map<Integer, Row> byTarget = new ConcurrentHashMap<>();

    /** The memory of one operation. */
    static final class Held {
        private final Row row;
        private final Memory memory;
        private Held next; // behind it in the row, whose lock guards it

        private Held(Row row, Memory memory) {
            this.row = row;
            this.memory = memory;
        }

        /** The operation has begun; whether it is time for a flush. */
        boolean note() {
            return row.add(this) >= MOST;
        }

        /** It did not begin, or is complete. */
        void release() {
            memory.unpin();
        }
    }

    /** Of one rank, in the order in which it was noted. */
    private static final class Row {
        private Held first;
        private Held last;
        private long noted;
        private long completed;

        synchronized long add(Held held) {
            if (first == null) {
                first = held;
            } else {
                last.next = held;
            }
            last = held;
            noted++;
            return noted - completed;
        }

        synchronized long end() {
            return noted;
        }

        synchronized void complete(long end) {
            for (; completed < end; completed++) {
                first.release();
                first = first.next;
            }
            last = first == null ? null : last;
        }
    }

    /** Before the operation. */
    Held hold(int target, Memory memory) {
        Held held = new Held(byTarget.computeIfAbsent(target, rank -> new Row()), memory);
        memory.pin();
        return held;
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
