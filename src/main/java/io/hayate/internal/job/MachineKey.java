// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Tells which processes can share memory: those that have the same key are ranks of one node. A
 * segment and its socket are found within one network namespace, processes are watched and read
 * within one pid namespace, and both sides check that they belong to the same user. Two containers
 * of one machine are therefore two nodes, unless they share these. {@code HAYATE_NODE} divides a
 * machine further.
 */
final class MachineKey {
    private static final String[] NAMESPACES = {"net", "pid", "user"};

    private MachineKey() {
    }

    static byte[] own() {
        try {
            StringBuilder text = new StringBuilder(Files.readString(
                    Path.of("/proc/sys/kernel/random/boot_id")));
            for (String name : NAMESPACES) {
                text.append(Files.readSymbolicLink(Path.of("/proc/self/ns", name))).append('\n');
            }
            text.append(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).append('\n');
            text.append(System.getenv().getOrDefault("HAYATE_NODE", ""));
            return digest(text.toString());
        } catch (IOException e) {
            throw Errors.system("cannot find out which processes share this machine: " + e
                    + "; Hayate needs /proc", e);
        }
    }

    private static byte[] digest(String text) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
            return Arrays.copyOf(all, SetupBinding.MACHINE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
