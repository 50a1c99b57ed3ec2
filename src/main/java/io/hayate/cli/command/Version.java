// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.command;

import io.hayate.Hayate;
import io.hayate.NativeLoadException;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.Optional;
import java.util.jar.Manifest;
import picocli.CommandLine.IVersionProvider;

/** The version of these classes, and where they were loaded from. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"hayate " + text()};
    }

    /** Returns the version in the jar, or in a build directory that of the native library. */
    public static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .or(() -> manifest("Implementation-Version"))
                .orElseGet(Version::ofLibrary);
    }

    private static String ofLibrary() {
        try {
            return Hayate.version();
        } catch (NativeLoadException e) {
            return "(unknown version)";
        }
    }

    /** Returns the file or directory of these classes. */
    public static String origin() {
        CodeSource source = Version.class.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null ? "unknown"
                : source.getLocation().getPath();
    }

    /** Reads an attribute of the jar, because a named module does not provide it by its package. */
    private static Optional<String> manifest(String name) {
        try (InputStream in = Version.class.getResourceAsStream("/META-INF/MANIFEST.MF")) {
            boolean ours = in != null && Version.class.getModule().isNamed();
            return ours ? Optional.ofNullable(new Manifest(in).getMainAttributes().getValue(name))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
