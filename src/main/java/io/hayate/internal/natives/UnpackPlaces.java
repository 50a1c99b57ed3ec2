// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The directories where a native file of the jar may be unpacked, in the order in which they are
 * tried.
 */
public final class UnpackPlaces {
    private UnpackPlaces() {
    }

    /**
     * Returns absolute paths without duplicates, which need not exist, and texts that are no path.
     * The directory that the user has set for JNA comes first.
     */
    public static Set<String> all() {
        Set<String> places = new LinkedHashSet<>();
        add(places, System.getProperty("jna.tmpdir"), "");
        add(places, System.getProperty("java.io.tmpdir"), "");
        add(places, System.getenv("XDG_RUNTIME_DIR"), "");
        add(places, "/dev/shm", "");
        add(places, "/var/tmp", "");
        add(places, System.getProperty("user.home"), ".cache");
        return places;
    }

    /** The JVM says "?" for the home of a user without one. */
    private static void add(Set<String> places, String directory, String below) {
        if (directory != null && !directory.isEmpty() && !directory.equals("?")) {
            String place = directory + "/" + below;
            places.add(Paths.of(place).map(path -> path.toAbsolutePath().normalize().toString())
                    .orElse(place));
        }
    }
}
