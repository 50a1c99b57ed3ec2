// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import io.hayate.NativeLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The platform of this JVM, and whether there is native code for it: Linux with glibc. */
public final class NativePlatform {
    private static final String SUPPORTED =
            "Hayate supports Linux with glibc on x86-64 and on aarch64 (64-bit)";
    private static final Path OF_MUSL = Path.of("/lib");
    private static final Path MAPS = Path.of("/proc/self/maps");

    private NativePlatform() {
    }

    /** Returns the name of the directory in the jar, whether such a one can exist or not. */
    public static String name() {
        return nameOf(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /**
     * Does the same for a supported platform only.
     *
     * @throws NativeLoadException if this one is not supported, with those that are
     */
    static String require() {
        String reason = refusal();
        if (!reason.isEmpty()) {
            throw new NativeLoadException(reason, null);
        }
        return name();
    }

    /** Says why this platform is not supported, and which are; empty if it is. */
    public static String refusal() {
        return refusal(System.getProperty("os.name", ""), System.getProperty("os.arch", ""),
                OF_MUSL, MAPS);
    }

    static String refusal(String os, String arch, Path libraries, Path maps) {
        String name = nameOf(os, arch);
        if (!name.equals("linux-x86_64") && !name.equals("linux-aarch64")) {
            return SUPPORTED + ", and this is " + os + " on " + arch;
        }
        if (isMusl(libraries, maps)) {
            return SUPPORTED + ", and the C library of this JVM is musl, as in Alpine: use a JVM"
                    + " and an image with glibc, as of Debian, Ubuntu or Red Hat";
        }
        return "";
    }

    private static String nameOf(String os, String arch) {
        String system = os.toLowerCase(Locale.ROOT);
        String processor = arch.toLowerCase(Locale.ROOT);
        return switch (processor) {
            case "amd64" -> system + "-x86_64";
            case "arm64" -> system + "-aarch64";
            default -> system + "-" + processor;
        };
    }

    /** A system of glibc may have musl as well: then it depends on what this JVM has mapped. */
    private static boolean isMusl(Path libraries, Path maps) {
        try (Stream<Path> files = Files.list(libraries)) {
            if (files.noneMatch(file -> isLoaderOfMusl(file.getFileName().toString()))) {
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.anyMatch(line ->
                    isLoaderOfMusl(line.substring(line.lastIndexOf('/') + 1)));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isLoaderOfMusl(String file) {
        return file.startsWith("ld-musl-");
    }
}
