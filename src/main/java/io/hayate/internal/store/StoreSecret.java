// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.natives.Owner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The file with the secret of a job. */
public final class StoreSecret {
    /** The fewest bytes of a secret. */
    public static final int LEAST = 16;

    private static final int MOST = 4096;
    private static final int ROOT = 0;
    private static final int OTHERS = 0077;
    private static final int GROUP_READS = 0040;
    static final String HOW = "; make one by: (umask 077; head -c 32 /dev/urandom | base64"
            + " > FILE), and copy it to all nodes";

    private StoreSecret() {
    }

    /**
     * Reads a secret; line ends after it do not count.
     *
     * @throws io.hayate.ArgumentException if there is no such file, it does not belong to this
     *     user, others have access to it, or the secret does not have 16 to 4096 bytes
     */
    public static byte[] read(Path file) {
        Errors.required(file, "the file of the store's secret");
        byte[] text;
        try {
            Path real = file.toRealPath(); // a secret of Kubernetes is behind symbolic links
            requirePrivate(file, Owner.of(real));
            try (InputStream in = Files.newInputStream(real)) {
                text = in.readNBytes(MOST + 1);
            }
        } catch (IOException e) {
            throw Errors.argument("the file of the store's secret cannot be read (" + e + ")"
                    + HOW);
        }
        int length = text.length;
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            length--;
        }
        if (length < LEAST || text.length > MOST) {
            throw Errors.argument("the secret in " + file + " has "
                    + (text.length > MOST ? "more than " + MOST : length) + " bytes: expected "
                    + LEAST + " to " + MOST + HOW);
        }
        return Arrays.copyOf(text, length);
    }

    /**
     * Returns whether nobody but this user can read a file. Kubernetes gives a secret to root, and
     * lets the group of the pod read it.
     */
    static boolean isPrivate(Owner owner, boolean isOwn) {
        int others = owner.mode() & OTHERS;
        return isOwn ? others == 0 : owner.uid() == ROOT && (others & ~GROUP_READS) == 0;
    }

    private static void requirePrivate(Path file, Owner owner) throws IOException {
        if (!isPrivate(owner, owner.isOwn())) {
            throw Errors.argument("the file of the store's secret " + file + " (" + owner
                    + ") is not private: it must belong to this user, and nobody else may have"
                    + " access (chmod 600)");
        }
    }
}
