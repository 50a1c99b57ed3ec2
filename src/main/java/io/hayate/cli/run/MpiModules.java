// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.natives.CheckedResource;
import io.hayate.internal.natives.PrivateDirectory;
import io.hayate.internal.natives.UnpackPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code hayate run --mpi} adds to a program, if it is started from the jar of the command
 * line: the jar hayate-mpi, which is inside that one, and that one itself.
 */
final class MpiModules {
    private static final String OPTION = "--mpi";
    private static final String PATH = "--mpi-path";
    private static final String RESOURCE = "/META-INF/mpi/hayate-mpi.jar";

    private MpiModules() {
    }

    /**
     * Tells the launcher where the modules are, unless the user does, or the launcher has to look
     * for them. If the word belongs to the command, the option has no effect.
     */
    static List<String> named(List<String> arguments) {
        URL jar = MpiModules.class.getResource(RESOURCE);
        boolean told = arguments.stream().anyMatch(word -> word.startsWith(PATH));
        if (jar == null || told || !arguments.contains(OPTION)) {
            return arguments;
        }
        List<String> all = new ArrayList<>(List.of(PATH, unpacked(jar) + ":" + ownJar()));
        all.addAll(arguments);
        return all;
    }

    /** The file stays until this JVM ends. */
    private static Path unpacked(URL jar) {
        try (InputStream in = CheckedResource.open(jar)) {
            return PrivateDirectory.first(UnpackPlaces.all(),
                    directory -> directory.add("hayate-mpi.jar", in));
        } catch (IOException e) {
            throw new CommandFailure("hayate-mpi.jar cannot be unpacked in " + e.getMessage());
        }
    }

    private static Path ownJar() {
        return Path.of(URI.create(MpiModules.class.getProtectionDomain().getCodeSource()
                .getLocation().toString()));
    }
}
