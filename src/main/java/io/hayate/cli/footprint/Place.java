// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import java.util.Locale;

/** Where the messages lie at their senders and receivers. */
public enum Place {
    /** In the symmetric heap, which every rank reaches. */
    HEAP,
    /** In memory of the rank's own. */
    PRIVATE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
