// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

/** Makes text of others fit to be shown: a terminal obeys control characters. */
public final class Printable {
    private Printable() {
    }

    /** Returns the text with "?" for control characters, and for those that turn text round. */
    public static String of(Object text) {
        return text.toString().replaceAll("[\\p{Cntrl}\\p{Cf}\\x{80}-\\x{9f}]", "?");
    }
}
