// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import java.util.Locale;

/** Where the buffers of the messages are. */
public enum Place {
    /** In the symmetric heap, which every rank can access. */
    HEAP,
    /** In private memory of the rank. */
    PRIVATE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
