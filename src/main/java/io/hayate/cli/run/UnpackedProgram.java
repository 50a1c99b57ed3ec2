// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.natives.CheckedResource;
import io.hayate.internal.natives.NativePlatform;
import io.hayate.internal.natives.PrivateDirectory;
import io.hayate.internal.natives.UnpackPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;

/**
 * A native program of the jar and the files that it needs, in a private directory until it is
 * closed or the JVM ends. A running program no longer needs its files.
 */
final class UnpackedProgram implements AutoCloseable {
    private final PrivateDirectory directory;
    private final Path file;

    private UnpackedProgram(PrivateDirectory directory, Path file) {
        this.directory = directory;
        this.file = file;
    }

    static boolean isInside(String name) {
        return UnpackedProgram.class.getResource(resource(name)) != null;
    }

    /** Describes where the program is unpacked from. */
    static String resource(String name) {
        return "/META-INF/native/" + NativePlatform.name() + "/" + name;
    }

    /** Unpacks the program in the first directory that can hold it and permits execution. */
    static UnpackedProgram of(String name, String... besides) {
        try {
            return PrivateDirectory.first(UnpackPlaces.all(), directory -> {
                for (String beside : besides) {
                    unpack(directory, beside);
                }
                return new UnpackedProgram(directory, unpack(directory, name));
            });
        } catch (IOException e) {
            throw new CommandFailure(name + " cannot be unpacked in " + e.getMessage());
        }
    }

    private static Path unpack(PrivateDirectory directory, String name) throws IOException {
        URL inJar = UnpackedProgram.class.getResource(resource(name));
        if (inJar == null) {
            String refusal = NativePlatform.refusal();
            throw new CommandFailure("there is no " + resource(name) + " in the jar: "
                    + (refusal.isEmpty() ? "this build was made without it" : refusal));
        }
        try (InputStream in = CheckedResource.open(inJar)) {
            return directory.add(name, in);
        }
    }

    Path file() {
        return file;
    }

    @Override
    public void close() {
        directory.close();
    }
}
