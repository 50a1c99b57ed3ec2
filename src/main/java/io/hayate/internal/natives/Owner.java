// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The owner of a file and its permissions.
 *
 * @param uid the user, as this process sees it
 * @param mode the mode in the kernel, with the type of the file
 */
public record Owner(long uid, int mode) {
    private static final int ROOT = 0;
    private static final int PERMISSIONS = 07777;

    /** Reads the owner of a file, without following a symbolic link. */
    public static Owner of(Path file) throws IOException {
        Map<String, Object> all =
                Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        return new Owner(Integer.toUnsignedLong((Integer) all.get("uid")),
                (Integer) all.get("mode"));
    }

    /** Returns whether the owner is this user. */
    public boolean isOwn() throws IOException {
        return uid == ownUid();
    }

    /**
     * Returns whether the owner is root or this user. In a user namespace, files of the system
     * belong to users without a number here, above all to root: these are accepted as well.
     */
    boolean isTrusted() throws IOException {
        return uid == ROOT || uid == ownUid() || uid == overflowUid() && !isMapped();
    }

    /** Returns the file-system user id, which owns new files: the fourth number. */
    private static long ownUid() throws IOException {
        return lines("/proc/self/status").stream().filter(line -> line.startsWith("Uid:"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[4])).findFirst()
                .orElseThrow(() -> new IOException("no Uid: in /proc/self/status"));
    }

    /** Returns the number that represents all users without a number. */
    private static long overflowUid() throws IOException {
        return Long.parseLong(lines("/proc/sys/kernel/overflowuid").get(0));
    }

    /** Reads lines of three numbers: first user inside, first user outside, count. */
    private boolean isMapped() throws IOException {
        return lines("/proc/self/uid_map").stream().map(line -> line.strip().split("\\s+"))
                .anyMatch(words -> uid >= Long.parseLong(words[0])
                        && uid - Long.parseLong(words[0]) < Long.parseLong(words[2]));
    }

    /** Uses one large read, because the kernel does not continue a number in a second one. */
    private static List<String> lines(String file) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.toList();
        }
    }

    @Override
    public String toString() {
        return "user " + uid + ", mode " + String.format("%04o", mode & PERMISSIONS);
    }
}
