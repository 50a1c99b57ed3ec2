// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import java.util.Locale;

/** The kinds of ranks. */
public enum Kind {
    /** Each rank has a separate address space. */
    PROCESSES,
    /** All ranks are in the address space of the launcher. */
    TASKS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
