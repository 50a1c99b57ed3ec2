// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativePlatformTest {
    private static final String SUPPORTED =
            "Hayate supports Linux with glibc on x86-64 and on aarch64 (64-bit), and ";
    @TempDir private Path libraries;
    private Path maps;

    @BeforeEach
    void mapGlibc() throws IOException {
        maps = Files.writeString(libraries.resolve("maps"),
                "7f00-7f01 r-xp 00000000 fe:00 1 /lib64/ld-linux-x86-64.so.2\n");
    }

    private String refusal(String os, String arch) {
        return NativePlatform.refusal(os, arch, libraries, maps);
    }

    @Test
    void should_accept_linux_on_both_processors() {
        for (String arch : new String[] {"amd64", "x86_64", "aarch64", "arm64"}) {
            assertEquals("", refusal("Linux", arch), arch);
        }
    }

    @Test
    void should_refuse_other_systems_and_processors_and_those_of_32_bits() {
        String[][] others = {{"Windows 11", "amd64"}, {"Mac OS X", "aarch64"}, {"Linux", "i386"},
            {"Linux", "arm"}, {"Linux", "riscv64"}, {"Linux", "ppc64le"}, {"", ""}};
        for (String[] other : others) {
            assertEquals(SUPPORTED + "this is " + other[0] + " on " + other[1],
                    refusal(other[0], other[1]));
        }
    }

    @Test
    void should_refuse_a_jvm_of_musl_and_say_what_to_use() throws IOException {
        Files.createFile(libraries.resolve("ld-musl-x86_64.so.1"));
        Files.writeString(maps, "7f00-7f01 r-xp 00000000 fe:00 1 /lib/ld-musl-x86_64.so.1\n");
        String reason = refusal("Linux", "amd64");
        assertTrue(reason.startsWith(SUPPORTED) && reason.contains("Alpine")
                && reason.contains("glibc, as of Debian"), reason);
    }

    @Test
    void should_accept_a_jvm_of_glibc_beside_musl() throws IOException {
        Files.createFile(libraries.resolve("ld-musl-x86_64.so.1"));
        assertEquals("", refusal("Linux", "amd64"));
    }

    @Test
    void should_name_the_directory_of_this_platform_in_the_jar() {
        assertNotNull(NativePlatform.class.getResource(
                "/META-INF/native/" + NativePlatform.require() + "/libhayate.so"));
    }
}
