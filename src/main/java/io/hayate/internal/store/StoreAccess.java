// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.errors.Errors;
import java.time.Duration;

/**
 * What all ranks of a job know of their store.
 *
 * @param address where it is
 * @param secret the bytes that only the ranks of the job know; see {@link StoreSecret}
 * @param job the name of the job, of letters, digits and {@code . _ -}, at most 64; "": none
 * @param limit how long a rank waits for the others in each of the two rounds
 */
public record StoreAccess(StoreAddress address, byte[] secret, String job, Duration limit) {
    /** The limit if nothing else is said. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    /** Checks the name; a wrong one: an ArgumentException. */
    public StoreAccess {
        if (!job.matches("[A-Za-z0-9._-]{0," + Hello.NAME + "}")) {
            throw Errors.argument("job name \"" + job + "\": expected at most " + Hello.NAME
                    + " letters, digits, and . _ - (HAYATE_STORE_NAME)");
        }
    }
}
