// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;

/** A library inside the jar, which is unpacked, opened, and deleted before its first use. */
final class NativeFile {
    private final String name;
    private final byte[] content;

    private NativeFile(String name, byte[] content) {
        this.name = name;
        this.content = content;
    }

    static NativeFile ofPlatform(String platform, String name) {
        String resource = "/META-INF/native/" + platform + "/" + name;
        try (InputStream in = NativeFile.class.getResourceAsStream(resource)) {
            boolean here = platform.equals(NativeLoader.platform());
            byte[] content = in != null ? in.readAllBytes() : here ? besideClasses(name) : null;
            if (content == null) {
                throw new NativeLoadException("no " + resource + " in the jar: this build has no"
                        + " library for " + platform + "; build it there, or name a library with -D"
                        + NativeLoader.PROPERTY, null);
            }
            return new NativeFile(name, content);
        } catch (IOException e) {
            throw new NativeLoadException("reading " + resource + ": " + e, e);
        }
    }

    /** If classes run from a build directory, the library is next to it. */
    private static byte[] besideClasses(String name) throws IOException {
        CodeSource source = NativeFile.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return null;
        }
        try {
            Path file = Path.of(source.getLocation().toURI()).resolveSibling(name);
            return Files.isReadable(file) ? Files.readAllBytes(file) : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Loads the library for JNI and JNA, in the first directory where that works, together with the
     * library of JNA. The exception lists the reasons of all directories that failed.
     */
    NativeLibrary unpackAndOpen(Set<Path> places) {
        return first(places, this::openIn);
    }

    /** Does the same for JNA alone, which is loaded already, with flags of dlopen(). */
    NativeLibrary unpackAndOpenForJna(Set<Path> places, int flags) {
        return first(places, directory -> openForJnaIn(directory, flags));
    }

    private NativeLibrary first(Set<Path> places, PrivateDirectory.Use<NativeLibrary> use) {
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
            Path file = directory.add(name, new ByteArrayInputStream(content));
            JnaLibrary.unpackInto(directory);
            System.load(file.toString());
            JnaLibrary.loadFrom(directory);
            return NativeLoader.open(file);
        }
    }

    private NativeLibrary openForJnaIn(PrivateDirectory directory, int flags)
            throws IOException {
        try (directory) {
            return NativeLoader.open(directory.add(name, new ByteArrayInputStream(content)),
                    flags);
        }
    }
}
