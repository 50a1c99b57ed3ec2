// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.Locale;

/** Where the measured data are. */
public enum Buffers {
    /** The symmetric heap. */
    HEAP,
    /** Direct buffers outside the heap. */
    DIRECT,
    /** Arrays of double. */
    ARRAY;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
