// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads members of the flat JSON objects that ranks of our own print. */
final class JsonNumbers {
    private static final String VALUE = "\":(?:\"([^\"]*)\"|([-0-9.eE]+))";

    private JsonNumbers() {
    }

    /** Returns a number. */
    static double of(String line, String name) {
        try {
            return Double.parseDouble(text(line, name));
        } catch (NumberFormatException e) {
            throw unexpected(line, name);
        }
    }

    /** Returns a number or a string without escapes, as text. */
    static String text(String line, String name) {
        Matcher matcher = Pattern.compile("\"" + Pattern.quote(name) + VALUE).matcher(line);
        if (!line.startsWith("{") || !matcher.find()) {
            throw unexpected(line, name);
        }
        return matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    }

    private static CommandFailure unexpected(String line, String name) {
        return new CommandFailure("a rank printed '" + line + "' where a result with \"" + name
                + "\" was expected");
    }
}
