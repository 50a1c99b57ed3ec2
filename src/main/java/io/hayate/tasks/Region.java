// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Ompl;

/**
 * A range of the global space at the same offset in every rank's part, with a flag that holds the
 * version of the data in each part. The flag identifies the region: two regions must have two
 * flags.
 *
 * @param at offset of the data, in bytes
 * @param bytes number of bytes of the data, at least 1
 * @param flag offset of the flag, in bytes; a multiple of {@link Ompl#FLAG_BYTES}
 */
public record Region(long at, long bytes, long flag) {
    /**
     * Creates a region, and checks what can be checked without a space.
     *
     * @param at offset of the data, in bytes
     * @param bytes number of bytes of the data, at least 1
     * @param flag offset of the flag, in bytes
     */
    public Region {
        if (at < 0 || bytes < 1 || flag < 0 || flag % Ompl.FLAG_BYTES != 0) {
            throw new TaskException("region of " + bytes + " bytes at " + at + ", flag at " + flag
                    + ": expected at least 1 byte, offsets of 0 or more, and a flag at a multiple"
                    + " of " + Ompl.FLAG_BYTES);
        }
    }

    boolean isWithin(long space) {
        return at <= space - bytes && flag <= space - Ompl.FLAG_BYTES;
    }
}
