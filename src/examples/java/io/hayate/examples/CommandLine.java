// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.ArgumentException;
import io.hayate.CollOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Options by name, {@code --name value} or a flag; if an option is repeated, the last one counts.
 */
final class CommandLine {
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    /** `valued` are the names of the options that want a value, `flags` of those without. */
    CommandLine(Set<String> valued, Set<String> flags, String... args) throws UsageException {
        for (int i = 0; i < args.length; i++) {
            if (flags.contains(args[i])) {
                this.flags.add(args[i]);
            } else if (!valued.contains(args[i])) {
                throw new UsageException("unknown option " + args[i]);
            } else if (i + 1 == args.length) {
                throw new UsageException(args[i] + " wants a value");
            } else {
                values.put(args[i], args[++i]);
            }
        }
    }

    boolean has(String name) {
        return flags.contains(name) || values.containsKey(name);
    }

    /** From 1 to `most`. */
    int integer(String name, int most, int otherwise) throws UsageException {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw new UsageException(name + " " + value + ": expected an integer from 1 to " + most);
    }

    /** Between 0 and 1. */
    double fraction(String name, double otherwise) throws UsageException {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(value);
            if (number > 0 && number < 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw new UsageException(name + " " + value + ": expected a number between 0 and 1");
    }

    /** Null when it is not given. */
    Path path(String name) throws UsageException {
        try {
            return has(name) ? Path.of(values.get(name)) : null;
        } catch (InvalidPathException e) {
            throw new UsageException(name + ": " + e.getMessage());
        }
    }

    /** How a persistent collective is done: words as {@link CollOptions#parse} takes them. */
    CollOptions collective(String name) throws UsageException {
        try {
            return CollOptions.parse(values.getOrDefault(name, ""));
        } catch (ArgumentException e) {
            throw new UsageException(name + ": " + e.reason());
        }
    }
}
