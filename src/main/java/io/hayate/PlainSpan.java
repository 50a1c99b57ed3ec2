// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.function.BooleanSupplier;

/** Every span but a whole allocation of the heap. */
final class PlainSpan extends Span {
    /** What must stay reachable for the memory to exist. */
    @SuppressWarnings("unused")
    private final Object keep;

    PlainSpan(Object array, long start, long bytes, HeapSpan root, boolean readOnly,
            BooleanSupplier alive, Object keep) {
        super(array, start, bytes, root, readOnly, alive);
        this.keep = keep;
    }
}
