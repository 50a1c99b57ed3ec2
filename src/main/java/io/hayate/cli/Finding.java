// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code hayate doctor} found out about one thing.
 *
 * @param level how bad it is
 * @param check the thing, a short name
 * @param found what it is, and what that means
 * @param advice what to do; "" when nothing
 */
record Finding(Level level, String check, String found, String advice) {
    /** How bad. */
    enum Level {
        /** In order. */
        OK,
        /** Works, but slower, or not in every case. */
        WARN,
        /** Hayate cannot work so. */
        PROBLEM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String check, String found) {
        return new Finding(Level.OK, check, found, "");
    }

    static Finding warn(String check, String found, String advice) {
        return new Finding(Level.WARN, check, found, advice);
    }

    static Finding problem(String check, String found, String advice) {
        return new Finding(Level.PROBLEM, check, found, advice);
    }

    String json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("check", check);
        object.put("level", level);
        object.put("found", found);
        object.put("advice", advice);
        return Json.of(object);
    }

    String text() {
        String line = String.format("%-8s %-14s %s%n", level, check, found);
        return advice.isEmpty() ? line : line + String.format("%-23s -> %s%n", "", advice);
    }
}
