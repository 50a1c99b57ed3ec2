// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** Formats values as JSON. */
final class Json {
    private Json() {}

    /** JSON has no infinities. */
    static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
