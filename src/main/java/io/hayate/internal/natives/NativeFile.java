// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;

/**
 * A library inside the jar, which is unpacked, opened, and deleted before its first use. Its bytes
 * go from stream to stream: the heap of a solver may have no place for a whole library.
 */
final class NativeFile {
    /** Where the bytes are read, once for each place that is tried. */
    @FunctionalInterface
    private interface Content {
        InputStream open() throws IOException;
    }

    private final String name;
    private final Content content;

    private NativeFile(String name, Content content) {
        this.name = name;
        this.content = content;
    }

    static NativeFile ofPlatform(String platform, String name) {
        String resource = "/META-INF/native/" + platform + "/" + name;
        URL inJar = NativeFile.class.getResource(resource);
        if (inJar != null) {
            return new NativeFile(name, () -> CheckedResource.open(inJar));
        }
        Path file = platform.equals(NativePlatform.name()) ? besideClasses(name) : null;
        if (file == null) {
            throw new NativeLoadException("no " + resource + " in the jar: this build has no"
                    + " library for " + platform + "; build it there, or name a library with -D"
                    + NativeLoader.PROPERTY, null);
        }
        return new NativeFile(name, () -> Files.newInputStream(file));
    }

    /** If classes run from a build directory, the library is next to it. */
    private static Path besideClasses(String name) {
        CodeSource source = NativeFile.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return null;
        }
        try {
            Path file = Path.of(source.getLocation().toURI()).resolveSibling(name);
            return Files.isReadable(file) ? file : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    private Path unpackInto(PrivateDirectory directory) throws IOException {
        try (InputStream in = content.open()) {
            return directory.add(name, in);
        }
    }

    /**
     * Loads the library for JNI and JNA, in the first directory where that works, together with the
     * library of JNA. The exception lists the reasons of all directories that failed.
     */
    NativeLibrary unpackAndOpen(Set<String> places) {
        return first(places, this::openIn);
    }

    /** Does the same for JNA alone, which is loaded already, with flags of dlopen(). */
    NativeLibrary unpackAndOpenForJna(Set<String> places, int flags) {
        return first(places, directory -> openForJnaIn(directory, flags));
    }

    private NativeLibrary first(Set<String> places, PrivateDirectory.Use<NativeLibrary> use) {
        try {
            return PrivateDirectory.first(places, use);
        } catch (IOException e) {
            throw new NativeLoadException(name + " could not be loaded from " + e.getMessage()
                    + ", or -D" + NativeLoader.PROPERTY + " to a directory where the libraries of"
                    + " the jar were unpacked before", e.getCause());
        }
    }

    /** Writes all files before it loads any: if they do not all fit, another directory is tried. */
    private NativeLibrary openIn(PrivateDirectory directory) throws IOException {
        try (directory) {
            Path file = unpackInto(directory);
            JnaLibrary.unpackInto(directory);
            load(file);
            JnaLibrary.loadFrom(directory);
            return NativeLoader.open(file);
        }
    }

    private void load(Path file) {
        try {
            System.load(file.toString());
        } catch (LinkageError e) {
            Glibc.requireNoOtherPlace(name, e);
            throw e;
        }
    }

    private NativeLibrary openForJnaIn(PrivateDirectory directory, int flags) throws IOException {
        try (directory) {
            return NativeLoader.open(unpackInto(directory), flags);
        }
    }
}
