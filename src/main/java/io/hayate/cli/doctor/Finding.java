// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.output.Json;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One result of {@code hayate doctor}.
 *
 * @param level how severe it is
 * @param check the short name of what was checked
 * @param found the result and its meaning
 * @param advice what to do; "" if nothing
 */
record Finding(Level level, String check, String found, String advice) {
    /** How severe a finding is. */
    enum Level {
        /** No problem. */
        OK,
        /** Works, but slower, or not in every case. */
        WARN,
        /** Hayate does not work like this. */
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
