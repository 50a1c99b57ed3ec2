// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import java.util.Locale;

/** What ranks are. */
public enum Kind {
    /** Each has an address space of its own. */
    PROCESSES,
    /** All are in the launcher's address space. */
    TASKS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
