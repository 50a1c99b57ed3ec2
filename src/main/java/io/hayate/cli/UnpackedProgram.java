// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.internal.UnpackPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A native program of the jar, and what it needs beside it, in a directory of their own until it is
 * closed or this virtual machine is told to end. What runs of it goes on without its files.
 */
final class UnpackedProgram implements AutoCloseable {
    private static final String RESOURCES = "/META-INF/native/linux-x86_64/";
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------"));

    private final List<String> names; // the program first
    private final Thread atEnd = new Thread(this::end);
    // Guarded by this:
    private Path directory;
    private boolean ended;

    private UnpackedProgram(List<String> names) {
        this.names = names;
    }

    static boolean isInside(String name) {
        return UnpackedProgram.class.getResource(RESOURCES + name) != null;
    }

    /** Where it is taken from, for people. */
    static String resource(String name) {
        return RESOURCES + name;
    }

    /** In the first place that can hold and execute it. */
    static UnpackedProgram of(String name, String... besides) {
        UnpackedProgram program = new UnpackedProgram(
                Stream.concat(Stream.of(name), Stream.of(besides)).toList());
        Runtime.getRuntime().addShutdownHook(program.atEnd);
        try {
            program.unpack();
            return program;
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    private void unpack() {
        List<String> reasons = new ArrayList<>();
        for (Path place : UnpackPlaces.all()) {
            try {
                unpack(place);
                return;
            } catch (IOException | UnsupportedOperationException e) {
                delete();
                reasons.add(place + ": " + reason(e));
            }
        }
        throw new CommandFailure(names.get(0) + " cannot be unpacked in any of\n  "
                + String.join("\n  ", reasons) + "\nset -Djava.io.tmpdir to a directory that can be"
                + " written and is not mounted noexec");
    }

    /** Under one lock with {@link #end}, which knows of all that was made. */
    private synchronized void unpack(Path place) throws IOException {
        if (ended) {
            throw new IOException("the virtual machine ends");
        }
        directory = Files.createTempDirectory(place, "hayate-", PRIVATE);
        for (String name : names) {
            copy(name);
        }
        if (!Files.isExecutable(file())) {
            throw new IOException("mounted noexec");
        }
    }

    private void copy(String name) throws IOException {
        try (InputStream in = UnpackedProgram.class.getResourceAsStream(resource(name))) {
            if (in == null) {
                throw new CommandFailure("there is no " + resource(name)
                        + " in the jar: it is made for Linux on x86-64 only");
            }
            Path file = Files.createFile(directory.resolve(name), PRIVATE);
            try (var out = Files.newOutputStream(file)) {
                in.transferTo(out);
            }
        }
    }

    /** That of a file system's is no more than a path. */
    private static String reason(Exception e) {
        return e instanceof FileSystemException ? e.toString() : e.getMessage();
    }

    synchronized Path file() {
        return directory.resolve(names.get(0));
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            return; // already going down: that deletes it
        }
        delete();
    }

    private synchronized void end() {
        ended = true;
        delete();
    }

    private synchronized void delete() {
        if (directory == null) {
            return;
        }
        try {
            for (String name : names) {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.deleteIfExists(directory);
            directory = null;
        } catch (IOException e) {
            System.getLogger("io.hayate")
                    .log(System.Logger.Level.DEBUG, "left behind: " + directory);
        }
    }
}
