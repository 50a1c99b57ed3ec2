// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.time.Duration;

/**
 * A wait of a thread of this rank that lasts: from {@link Hayate#waits()}.
 *
 * @param operation what the thread waits in: {@code send}, {@code receive}, {@code requests} (one
 *     of several), {@code send_buffer}, {@code word} (of the global space), the name of the
 *     collective, such as {@code allreduce}, or a step of a set-up
 * @param peer the rank that it waits for; -1: several, or unknown
 * @param duration for how long it has waited without getting further
 * @param text all of this in one line, as {@code hayate stat --waits} prints it
 */
public record Wait(String operation, int peer, Duration duration, String text) {
    /**
     * Returns a human-readable description.
     *
     * @return the text
     */
    @Override
    public String toString() {
        return text;
    }
}
