// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import io.hayate.NativeLoadException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The C library of a system that is older than the one that a native file was linked with. */
final class Glibc {
    private static final Pattern MISSING = Pattern.compile("version `GLIBC_([0-9.]+)' not found");

    private Glibc() {
    }

    /** No other place helps if the dynamic linker says so: throws what the user should read. */
    static void requireNotTooOld(String name, LinkageError e) {
        Matcher missing = MISSING.matcher(String.valueOf(e.getMessage()));
        if (missing.find()) {
            throw new NativeLoadException(name + " needs glibc " + missing.group(1) + " or newer,"
                    + " and the one of this system is older (ldd --version tells it); use a newer"
                    + " system or container, such as debian:12, or build Hayate on this system by"
                    + " scripts/build.sh", e);
        }
    }
}
