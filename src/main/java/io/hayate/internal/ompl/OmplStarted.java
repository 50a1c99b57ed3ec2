// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.ompl;

import io.hayate.internal.job.Memory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of operations with remote ranks that a space has started and not completed. It stays
 * reachable, and its heap span cannot be closed, until a flush that began after the operation has
 * completed. The memory is held before the operation, which may fail for lack of memory; after the
 * operation it is recorded or released, which never fails. A flush releases nothing before it has
 * succeeded, so several may be in progress: when a flush returns, the memory that it covers is
 * free.
 */
final class OmplStarted {
    /** The largest number of operations in progress with a rank before it is flushed. */
    static final int MOST = 1024;

    private final Map<Integer, Row> byTarget = new ConcurrentHashMap<>();

    /** The memory of one operation. */
    static final class Held {
        private final Row row;
        private final Memory memory;
        private Held next; // next in the list, whose lock guards it

        private Held(Row row, Memory memory) {
            this.row = row;
            this.memory = memory;
        }

        /** Records a started operation; returns whether it is time for a flush. */
        boolean note() {
            return row.add(this) >= MOST;
        }

        /** Releases memory whose operation did not start, or is complete. */
        void release() {
            memory.unpin();
        }
    }

    /** The memory of one rank, in the order in which it was recorded. */
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

    /** Holds the memory before the operation. */
    Held hold(int target, Memory memory) {
        Held held = new Held(byTarget.computeIfAbsent(target, rank -> new Row()), memory);
        memory.pin();
        return held;
    }

    /**
     * Returns what a flush that begins now completes, for all ranks with target -1: the present end
     * of each list.
     */
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

    /** Releases the memory that a successful flush has completed. */
    void complete(Map<Integer, Long> ends) {
        ends.forEach((target, end) -> byTarget.get(target).complete(end));
    }
}
