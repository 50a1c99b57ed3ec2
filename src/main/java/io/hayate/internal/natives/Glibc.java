// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import io.hayate.NativeLoadException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the dynamic linker of glibc refuses wherever the file is. */
final class Glibc {
    private static final Pattern MISSING = Pattern.compile("version `GLIBC_([0-9.]+)' not found");

    private static final String NO_ROOM = "cannot allocate memory in static TLS block";

    private Glibc() {
    }

    /** Throws what the user should read, if no other place helps. */
    static void requireNoOtherPlace(String name, LinkageError e) {
        Matcher missing = MISSING.matcher(String.valueOf(e.getMessage()));
        if (missing.find()) {
            throw new NativeLoadException(name + " needs glibc " + missing.group(1) + " or newer,"
                    + " and the one of this system is older (ldd --version tells it); use a newer"
                    + " system or container, such as debian:12, or build Hayate on this system by"
                    + " scripts/build.sh", e);
        }
        if (String.valueOf(e.getMessage()).contains(NO_ROOM)) {
            throw new NativeLoadException(name + " could not be loaded: the dynamic linker has no"
                    + " room left for its thread-local data (static TLS). Libraries that this"
                    + " process has loaded take it, and each class loader that loads Hayate loads"
                    + " a copy of its library: let one class loader that all share load Hayate, or"
                    + " set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 in the environment"
                    + " of the process", e);
        }
    }
}
