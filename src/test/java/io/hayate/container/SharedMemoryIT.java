// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The size of /dev/shm, and whether it is there at all, must not matter. */
@InContainers
class SharedMemoryIT {
    private static final int MORE_THAN_DEV_SHM = 128 << 20;

    @Test
    void should_fill_a_heap_far_larger_than_dev_shm() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> { })) {
            assertEquals("65536\n", sandbox.shell(
                    "df --output=size /dev/shm | tail -n 1 | tr -d ' '").out());
            sandbox.exchange(MORE_THAN_DEV_SHM, 2, "--heap", "1G").exchanged(2);
        }
    }

    @Test
    void should_work_without_dev_shm() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withIpcMode("none"))) {
            sandbox.shell("[ ! -e /dev/shm ]").good();
            sandbox.exchange(2).exchanged(2);
        }
    }

    @Test
    void should_work_with_a_read_only_dev_shm() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withTmpFs(
                Map.of("/dev/shm", "ro,size=4k")))) {
            sandbox.shell("! touch /dev/shm/file").good();
            sandbox.exchange(2).exchanged(2);
        }
    }
}
