// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Whom a file belongs to, and what others may do with it.
 *
 * @param uid as this process sees it
 * @param mode of the kernel, with the file's type
 */
record Owner(long uid, int mode) {
    private static final int ROOT = 0;
    private static final int PERMISSIONS = 07777;

    /** Of the file itself, if that is a symbolic link. */
    static Owner of(Path file) throws IOException {
        Map<String, Object> all =
                Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        return new Owner(Integer.toUnsignedLong((Integer) all.get("uid")),
                (Integer) all.get("mode"));
    }

    /**
     * Root or this user. In a user namespace the system's own files belong to users that have no
     * number here, to root above all: then these count, too.
     */
    boolean isTrusted() throws IOException {
        return uid == ROOT || uid == ownUid() || uid == overflowUid() && !isMapped();
    }

    /** That by which files are made: the fourth. */
    private static long ownUid() throws IOException {
        return lines("/proc/self/status").stream().filter(line -> line.startsWith("Uid:"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[4])).findFirst()
                .orElseThrow(() -> new IOException("no Uid: in /proc/self/status"));
    }

    /** The number that stands for all users without one. */
    private static long overflowUid() throws IOException {
        return Long.parseLong(lines("/proc/sys/kernel/overflowuid").get(0));
    }

    /** Each line: first number inside, first number outside, how many. */
    private boolean isMapped() throws IOException {
        return lines("/proc/self/uid_map").stream().map(line -> line.strip().split("\\s+"))
                .anyMatch(words -> uid >= Long.parseLong(words[0])
                        && uid - Long.parseLong(words[0]) < Long.parseLong(words[2]));
    }

    /** By one large read: the kernel gives the rest of a number to no second one. */
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
