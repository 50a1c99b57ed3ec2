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

/** The library inside the jar: unpacked, opened, and deleted before anybody uses it. */
final class NativeFile {
    private final byte[] content;

    private NativeFile(byte[] content) {
        this.content = content;
    }

    static NativeFile ofPlatform(String platform) {
        String resource = "/META-INF/native/" + platform + "/" + NativeLoader.FILE;
        try (InputStream in = NativeFile.class.getResourceAsStream(resource)) {
            boolean here = platform.equals(NativeLoader.platform());
            byte[] content = in != null ? in.readAllBytes() : here ? besideClasses() : null;
            if (content == null) {
                throw new NativeLoadException("no " + resource + " in the jar: this build has no"
                        + " library for " + platform + "; build it there, or name one by -D"
                        + NativeLoader.PROPERTY, null);
            }
            return new NativeFile(content);
        } catch (IOException e) {
            throw new NativeLoadException("reading " + resource + ": " + e, e);
        }
    }

    /** Classes run from a build's directory: the library is next to it. */
    private static byte[] besideClasses() throws IOException {
        CodeSource source = NativeFile.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return null;
        }
        try {
            Path file = Path.of(source.getLocation().toURI()).resolveSibling(NativeLoader.FILE);
            return Files.isReadable(file) ? Files.readAllBytes(file) : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /** In the first place that works; the reasons of those that do not are in the exception. */
    NativeLibrary unpackAndOpen(Set<Path> places) {
        try {
            return PrivateDirectory.first(places, this::openIn);
        } catch (IOException e) {
            throw new NativeLoadException("the native library could not be loaded from "
                    + e.getMessage() + ", or -D" + NativeLoader.PROPERTY + " to a "
                    + NativeLoader.FILE + " that was unpacked before", e.getCause());
        }
    }

    /** All is written before any is loaded: what fits here half is for another place. */
    private NativeLibrary openIn(PrivateDirectory directory) throws IOException {
        try (directory) {
            Path file = directory.add(NativeLoader.FILE, new ByteArrayInputStream(content));
            JnaLibrary.unpackInto(directory);
            System.load(file.toString());
            JnaLibrary.loadFrom(directory);
            return NativeLoader.open(file);
        }
    }
}
