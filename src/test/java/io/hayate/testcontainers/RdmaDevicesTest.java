// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ulimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaDevicesTest {
    @Test
    void should_find_devices_of_libibverbs_only(@TempDir Path directory) throws IOException {
        assertFalse(RdmaDevices.areIn(directory.resolve("missing")));
        Files.createFile(directory.resolve("rdma_cm"));
        assertFalse(RdmaDevices.areIn(directory));
        Files.createFile(directory.resolve("uverbs0"));
        assertTrue(RdmaDevices.areIn(directory));
    }

    @Test
    void should_pass_the_directory_and_lift_the_limit_of_locked_memory() {
        HostConfig node = RdmaDevices.passTo(new HostConfig());
        Device device = node.getDevices()[0];
        assertEquals("/dev/infiniband", device.getPathOnHost());
        assertEquals("/dev/infiniband", device.getPathInContainer());
        assertEquals("rwm", device.getcGroupPermissions());
        assertEquals(new Ulimit("memlock", -1L, -1L), node.getUlimits()[0]);
    }
}
