// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The memory of messages that are under way, also of requests that the program has lost: native
 * code reads and writes it until they end. It is kept by the place in a request's name (its lower
 * half, from 1), of which no two requests under way have the same. No lock, and no allocation but
 * when there are more requests than ever before.
 */
final class UnderWay {
    private static final int FIRST_BITS = 6;
    private static final int SEGMENTS = Integer.SIZE - FIRST_BITS;

    /** Each is as long as all before it together, but the first one. */
    private final AtomicReferenceArray<AtomicReferenceArray<Object>> segments =
            new AtomicReferenceArray<>(SEGMENTS);

    private static int segmentOf(int place) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(place >> FIRST_BITS);
    }

    private static int firstOf(int segment) {
        return segment == 0 ? 0 : 1 << segment - 1 + FIRST_BITS;
    }

    void add(long name, Object memory) {
        int place = (int) name;
        int segment = segmentOf(place);
        AtomicReferenceArray<Object> places = segments.get(segment);
        if (places == null) {
            int length = Math.max(firstOf(segment), 1 << FIRST_BITS);
            segments.compareAndSet(segment, null, new AtomicReferenceArray<>(length));
            places = segments.get(segment);
        }
        places.setRelease(place - firstOf(segment), memory);
    }

    /** Another thread's request may have got the place already: its memory stays. */
    void remove(long name, Object memory) {
        int place = (int) name;
        int segment = segmentOf(place);
        segments.get(segment).compareAndSet(place - firstOf(segment), memory, null);
    }
}
