// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;

/** The image of a node: that of the user, with what a node runs and the class path of programs. */
final class NodeImage {
    private static final String INSIDE = "/opt/hayate/cluster/";
    private static final int EXECUTABLE = 0755;

    private final ImageFromDockerfile image = new ImageFromDockerfile();
    private final List<String> classPath = new ArrayList<>();

    NodeImage(String base, List<Path> entries, String label) {
        image.withFileFromTransferable("Dockerfile", Transferable.of(resource("Dockerfile")))
                .withFileFromTransferable("node",
                        Transferable.of(resource("node"), EXECUTABLE))
                .withFileFromString("classes/README", "The class path of a HayateCluster\n")
                .withBuildArg("BASE", base).withBuildArg("LABEL", label);
        for (Path entry : entries) {
            if (Files.exists(entry)) {
                // Entries of different directories may have the same name.
                String name = classPath.size() + "-" + entry.toAbsolutePath().getFileName();
                image.withFileFromPath("classes/" + name, entry);
                classPath.add(INSIDE + name);
            }
        }
        classPath.add("/opt/hayate/lib/*");
    }

    private static byte[] resource(String name) {
        try (InputStream in = NodeImage.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ImageFromDockerfile image() {
        return image;
    }

    /** Returns the class path inside of the image. */
    List<String> classPath() {
        return classPath;
    }
}
