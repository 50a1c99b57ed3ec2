// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Loading where little or nothing can be written. */
@InContainers
class ReadOnlyIT {
    private static final String NOBODY = "1000";

    /** Names every place with its reason, and both ways out. */
    private static void explained(Sandbox.Outcome outcome) {
        assertNotEquals(0, outcome.exit(), outcome::toString);
        for (String part : List.of("io.hayate.NativeLoadException", "\n  /tmp: ", "\n  /dev/shm: ",
                "\n  /var/tmp: ", "noexec", "-Djava.io.tmpdir",
                "-Dhayate.library.path")) {
            assertTrue(outcome.err().contains(part), () -> "no " + part + " in " + outcome);
        }
    }

    @Test
    void should_load_from_a_read_only_root_with_a_place_for_temporary_files() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true)
                .withTmpFs(Map.of("/tmp", "exec")))) {
            sandbox.exchange(2).exchanged(2);
            assertEquals("", sandbox.shell("ls -A /tmp | grep -v hsperfdata").out());
        }
    }

    @Test
    void should_say_which_places_were_tried_where_the_temporary_one_is_noexec() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true)
                .withTmpFs(Map.of("/tmp", "")))) {
            explained(sandbox.exchange(2));
        }
    }

    @Test
    void should_say_which_places_were_tried_where_nothing_can_be_written() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true), NOBODY)) {
            explained(sandbox.exchange(2));
            Sandbox.Outcome doctor = sandbox.hayate("doctor");
            assertEquals(1, doctor.exit(), doctor::toString);
            assertTrue(doctor.out().contains("-Dhayate.library.path"), doctor::toString);
        }
    }

    @Test
    void should_work_with_unpacked_libraries_where_nothing_can_be_written() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true)
                .withIpcMode("none"), NOBODY)) {
            sandbox.shell("! find / -xdev -type d -writable 2>/dev/null | grep .").good();
            sandbox.jvm("-Dhayate.library.path=" + Sandbox.NATIVES, "-Djna.nounpack=true",
                    "-Djna.boot.library.path=" + Sandbox.NATIVES);
            assertEquals("", sandbox.exchange(2).exchanged(2).err());
        }
    }

    @Test
    void should_find_the_library_of_jna_beside_the_one_that_is_named() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true)
                .withIpcMode("none"), NOBODY)) {
            sandbox.jvm("-Dhayate.library.path=" + Sandbox.NATIVES);
            assertEquals("", sandbox.exchange(2).exchanged(2).err());
        }
    }

    @Test
    void should_say_what_jna_needs_where_only_the_library_is_named() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withReadonlyRootfs(true)
                .withTmpFs(Map.of("/mnt", "exec")))) {
            sandbox.shell("cp " + Sandbox.NATIVES + "/libhayate.so /mnt").good();
            sandbox.jvm("-Dhayate.library.path=/mnt");
            Sandbox.Outcome outcome = sandbox.exchange(2);
            assertNotEquals(0, outcome.exit(), outcome::toString);
            for (String part : List.of("-Djna.tmpdir", "-Djna.boot.library.path",
                    "libjnidispatch.so")) {
                assertTrue(outcome.err().contains(part), () -> "no " + part + " in " + outcome);
            }
        }
    }
}
