// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.Hayate;
import io.hayate.NativeLoadException;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.Optional;
import java.util.jar.Manifest;
import picocli.CommandLine.IVersionProvider;

/** What these classes are: their version, and where they were loaded from. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"hayate " + text()};
    }

    /** From the jar; in a build's directory the native library knows it. */
    static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .or(() -> manifest("Implementation-Version"))
                .orElseGet(Version::ofLibrary);
    }

    private static String ofLibrary() {
        try {
            return Hayate.version();
        } catch (NativeLoadException e) {
            return "of unknown version";
        }
    }

    /** File or directory of these classes. */
    static String origin() {
        CodeSource source = Version.class.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null ? "unknown"
                : source.getLocation().getPath();
    }

    /** An attribute of the jar, which a named module does not tell by its package. */
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
