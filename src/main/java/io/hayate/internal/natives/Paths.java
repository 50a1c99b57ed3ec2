// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Paths from outside: of properties, of the environment, of arguments. Some texts are no path, for
 * example one with an umlaut where {@code LC_ALL=C} says that file names are ASCII.
 */
public final class Paths {
    private Paths() {
    }

    /** Returns a path; empty: this text is none here. */
    public static Optional<Path> of(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Says why a text is no path, and what to do. */
    public static String fault(String text) {
        return "\"" + text + "\" cannot be the name of a file in the encoding of this JVM ("
                + System.getProperty("sun.jnu.encoding") + "): set LC_ALL=C.UTF-8";
    }
}
