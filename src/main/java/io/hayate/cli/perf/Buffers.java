// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.Locale;

/** Where the measured data lie. */
public enum Buffers {
    /** The symmetric heap. */
    HEAP,
    /** Direct buffers outside of it. */
    DIRECT,
    /** Arrays of double. */
    ARRAY;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
