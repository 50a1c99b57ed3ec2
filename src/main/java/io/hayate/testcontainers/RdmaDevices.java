// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ulimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The RDMA devices of the host, for the nodes of a cluster. Docker passes all that are in the
 * directory. As long as the kernel shares them among network namespaces ({@code rdma system}, which
 * is the default), a container uses them from its own network, by the addresses of the host.
 */
final class RdmaDevices {
    private static final Properties SETTINGS = settings();
    static final Path DIRECTORY = Path.of(SETTINGS.getProperty("devices"));

    private RdmaDevices() {
    }

    private static Properties settings() {
        try (InputStream in = RdmaDevices.class.getResourceAsStream("rdma.properties")) {
            Properties settings = new Properties();
            settings.load(in);
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the directory has a device that programs can open: one of libibverbs. */
    static boolean areIn(Path directory) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "uverbs*")) {
            return found.iterator().hasNext();
        } catch (IOException e) {
            return false; // no such directory
        }
    }

    static HostConfig passTo(HostConfig node) {
        String path = DIRECTORY.toString();
        long memory = Long.parseLong(SETTINGS.getProperty("memlock"));
        return node.withDevices(new Device("rwm", path, path))
                .withUlimits(List.of(new Ulimit("memlock", memory, memory)));
    }
}
