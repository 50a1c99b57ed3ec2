// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The library inside the jar. It is written into a fresh private directory (0700) of the first
 * place that can hold and execute it, opened, and deleted before anybody uses it: nothing stays
 * behind.
 */
final class NativeFile {
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final byte[] content;
    private final List<String> reasons = new ArrayList<>();
    private Throwable last;

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
        for (Path place : places) {
            NativeLibrary library = tryIn(place);
            if (library != null) {
                return library;
            }
        }
        throw new NativeLoadException("the native library could not be loaded from any of\n  "
                + String.join("\n  ", reasons) + "\nset -Djava.io.tmpdir to a directory that can be"
                + " written and is not mounted noexec, or -D" + NativeLoader.PROPERTY + " to a "
                + NativeLoader.FILE + " that was unpacked before", last);
    }

    private NativeLibrary tryIn(Path place) {
        Path directory = null;
        try {
            directory = Files.createTempDirectory(place, "hayate-", PRIVATE_DIRECTORY);
            return openIn(directory, place);
        } catch (IOException | LinkageError | UnsupportedOperationException e) {
            boolean mapping = String.valueOf(e.getMessage()).contains("failed to map segment");
            reasons.add(place + ": " + e + (mapping ? " (mounted noexec?)" : ""));
            last = e;
            return null;
        } finally {
            delete(directory);
        }
    }

    private NativeLibrary openIn(Path directory, Path place) throws IOException {
        Path file = directory.resolve(NativeLoader.FILE);
        Files.createFile(file, PRIVATE_FILE);
        Files.write(file, content, StandardOpenOption.WRITE);
        if (System.getProperty("jna.tmpdir") != null) {
            return NativeLoader.open(file);
        }
        System.setProperty("jna.tmpdir", place.toString());
        try {
            return NativeLoader.open(file);
        } catch (UnsatisfiedLinkError e) { // not here; JNA has not been asked yet
            System.clearProperty("jna.tmpdir");
            throw e;
        }
    }

    private static void delete(Path directory) {
        if (directory == null) {
            return;
        }
        try {
            Files.deleteIfExists(directory.resolve(NativeLoader.FILE));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            System.getLogger("io.hayate").log(
                    System.Logger.Level.DEBUG, "left behind: " + directory);
        }
    }
}
