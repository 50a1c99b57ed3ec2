// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.internal.UnpackPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A native program of the jar and the library that it is linked with, side by side in a directory
 * of their own until closed.
 */
final class UnpackedProgram implements AutoCloseable {
    private static final String RESOURCES = "/META-INF/native/linux-x86_64/";
    private static final String LIBRARY = "libhayate.so";
    private static final String MODE = "rwx------";

    private final Path directory;
    private final String name;

    private UnpackedProgram(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    /** In the first place that can hold and execute it. */
    static UnpackedProgram of(String name) {
        List<String> reasons = new ArrayList<>();
        for (Path place : UnpackPlaces.all()) {
            try {
                return unpack(place, name);
            } catch (IOException | UnsupportedOperationException e) {
                reasons.add(place + ": " + e.getMessage());
            }
        }
        throw new CommandFailure(name + " cannot be unpacked in any of\n  "
                + String.join("\n  ", reasons) + "\nset -Djava.io.tmpdir to a directory that can be"
                + " written and is not mounted noexec");
    }

    private static UnpackedProgram unpack(Path place, String name) throws IOException {
        UnpackedProgram program = new UnpackedProgram(Files.createTempDirectory(place, "hayate-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE))), name);
        try {
            program.copy(LIBRARY);
            program.copy(name);
            if (!Files.isExecutable(program.file())) {
                throw new IOException("mounted noexec");
            }
            return program;
        } catch (IOException | RuntimeException e) {
            program.close();
            throw e;
        }
    }

    private void copy(String file) throws IOException {
        try (InputStream in = UnpackedProgram.class.getResourceAsStream(RESOURCES + file)) {
            if (in == null) {
                throw new CommandFailure("there is no " + RESOURCES + file
                        + " in the jar: it is made for Linux on x86-64 only");
            }
            Files.copy(in, directory.resolve(file));
            Files.setPosixFilePermissions(directory.resolve(file),
                    PosixFilePermissions.fromString(MODE));
        }
    }

    Path file() {
        return directory.resolve(name);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory.resolve(name));
            Files.deleteIfExists(directory.resolve(LIBRARY));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            System.getLogger("io.hayate")
                    .log(System.Logger.Level.DEBUG, "left behind: " + directory);
        }
    }
}
