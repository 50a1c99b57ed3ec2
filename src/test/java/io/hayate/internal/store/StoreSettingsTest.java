// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.Bootstrap;
import io.hayate.LaunchException;
import io.hayate.internal.natives.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users say of a store: addresses, secrets, variables. */
class StoreSettingsTest {
    private static final String SECRET = "0123456789abcdef";

    @TempDir
    Path directory;
    private Path file;
    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void write() throws IOException {
        file = secret(SECRET, "rw-------");
        variables.putAll(Map.of("HAYATE_STORE", "node0:4711", "HAYATE_RANK", "3", "HAYATE_SIZE",
                "8", "HAYATE_STORE_SECRET", file.toString()));
    }

    private Path secret(String text, String permissions) throws IOException {
        Path secret = Files.createTempFile(directory, "secret", "");
        Files.writeString(secret, text);
        return Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(permissions));
    }

    private static <T extends Throwable> void assertRefused(Class<T> type, Executable call,
            String... parts) {
        T failure = assertThrows(type, call);
        for (String part : parts) {
            assertTrue(failure.getMessage().contains(part), failure::getMessage);
        }
    }

    private StoreEnvironment environment() {
        return new StoreEnvironment(variables);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node0:4711", "10.0.0.1:1", "[::1]:65535", "[fe80::1%eth0]:80",
            "job-0.svc.cluster.local:4711"})
    void should_read_addresses(String text) {
        assertEquals(text, StoreAddress.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node0", "node0:", ":4711", "node0:0", "node0:65536", "node0:99999",
            "node0:-1", "node0:+1", "node0:4711 ", "a,b:4711", "::1:4711", "[::1]", "http://a:80",
            "a b:1", "node0:4711\n", "node0:\u0664"})
    void should_refuse_what_is_no_address(String text) {
        assertRefused(ArgumentException.class, () -> StoreAddress.parse(text), "host:port",
                "no default port");
    }

    @Test
    void should_read_a_secret_without_its_line_ends() throws IOException {
        byte[] bytes = SECRET.getBytes(StandardCharsets.US_ASCII);
        for (String end : new String[] {"", "\n", "\r\n", "\n\n"}) {
            assertArrayEquals(bytes, StoreSecret.read(secret(SECRET + end, "r--------")));
        }
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertArrayEquals(bytes, StoreSecret.read(link));
    }

    @Test
    void should_refuse_a_secret_that_others_can_read_or_write() throws IOException {
        for (String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----", "rw------x"}) {
            Path open = secret(SECRET, mode);
            assertRefused(ArgumentException.class, () -> StoreSecret.read(open), "not private",
                    open.toString(), "chmod 600");
        }
    }

    @Test
    void should_refuse_a_secret_that_is_too_short_too_long_or_missing() throws IOException {
        Path brief = secret("0123456789abcde\n", "rw-------");
        assertRefused(ArgumentException.class, () -> StoreSecret.read(brief), "has 15 bytes",
                "16 to 4096", "/dev/urandom");
        Path lengthy = secret("x".repeat(4097), "rw-------");
        assertRefused(ArgumentException.class, () -> StoreSecret.read(lengthy),
                "more than 4096 bytes");
        assertRefused(ArgumentException.class, () -> StoreSecret.read(directory.resolve("none")),
                "cannot be read", "none", "/dev/urandom");
        assertRefused(ArgumentException.class, () -> StoreSecret.read(directory),
                "cannot be read");
    }

    @Test
    void should_read_the_environment() {
        StoreAccess access = environment().access();
        assertTrue(environment().isSet());
        assertEquals(3, environment().rank());
        assertEquals(8, environment().size());
        assertEquals("node0:4711", access.address().toString());
        assertEquals("", access.job());
        assertEquals(Duration.ofMinutes(5), access.limit());
        variables.put("HAYATE_STORE_NAME", "fluid-7");
        variables.put("HAYATE_STORE_LIMIT", "20s");
        assertEquals("fluid-7", environment().access().job());
        assertEquals(Duration.ofSeconds(20), environment().access().limit());
        variables.put("HAYATE_STORE", "");
        assertFalse(environment().isSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8", "-1", "1x", " 1", "99999", "111111111111"})
    void should_refuse_a_rank_that_is_missing_or_out_of_range(String rank) {
        variables.put("HAYATE_RANK", rank);
        assertRefused(LaunchException.class, () -> environment().rank(), "HAYATE_RANK", "0 to 7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "65537", "two"})
    void should_refuse_a_size_that_is_missing_or_out_of_range(String size) {
        variables.put("HAYATE_SIZE", size);
        assertRefused(LaunchException.class, () -> environment().size(), "HAYATE_SIZE",
                "1 to 65536");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HAYATE_BOOT_FD", "PMIX_NAMESPACE", "PMI_FD", "PMI_PORT"})
    void should_refuse_a_store_under_a_launcher(String variable) {
        variables.put(variable, "1");
        assertRefused(LaunchException.class, () -> environment().size(), variable,
                "remove one of both");
    }

    @Test
    void should_refuse_other_values_that_are_invalid() {
        variables.remove("HAYATE_STORE_SECRET");
        assertRefused(LaunchException.class, () -> environment().access(),
                "HAYATE_STORE_SECRET is not set", "/dev/urandom");
        variables.put("HAYATE_STORE_SECRET", file.toString());
        for (String limit : new String[] {"0", "86401", "5m", "-1", "s"}) {
            variables.put("HAYATE_STORE_LIMIT", limit);
            assertRefused(ArgumentException.class, () -> environment().access(),
                    "HAYATE_STORE_LIMIT is " + limit, "1 to 86400");
        }
        variables.remove("HAYATE_STORE_LIMIT");
        for (String name : new String[] {"a b", "a/b", "x".repeat(65), "\u00e4"}) {
            variables.put("HAYATE_STORE_NAME", name);
            assertRefused(ArgumentException.class, () -> environment().access(),
                    "HAYATE_STORE_NAME");
        }
    }

    @Test
    void should_refuse_a_bootstrap_with_invalid_arguments() {
        assertRefused(ArgumentException.class, () -> Bootstrap.store("a:1", 2, 2, file), "0 to 1");
        assertRefused(ArgumentException.class, () -> Bootstrap.store("a:1", 0, 0, file), "65536");
        assertRefused(ArgumentException.class, () -> Bootstrap.store("a", 0, 1, file), "host:port");
        assertRefused(ArgumentException.class, () -> Bootstrap.store(null, 0, 1, file), "null");
        assertRefused(ArgumentException.class, () -> Bootstrap.store("a:1", 0, 1, null), "null");
        assertRefused(LaunchException.class, () -> Bootstrap.store("a:1", 0, 1),
                "HAYATE_STORE_SECRET is not set");
    }

    /** Kubernetes gives a secret to root, and lets the group of the pod read it. */
    @Test
    void should_take_a_secret_that_root_has_given_to_a_group() {
        assertTrue(StoreSecret.isPrivate(new Owner(0, 0100440), false));
        assertFalse(StoreSecret.isPrivate(new Owner(0, 0100444), false));
        assertFalse(StoreSecret.isPrivate(new Owner(0, 0100460), false));
        assertFalse(StoreSecret.isPrivate(new Owner(1000, 0100400), false));
        assertFalse(StoreSecret.isPrivate(new Owner(1000, 0100440), true));
    }
}
