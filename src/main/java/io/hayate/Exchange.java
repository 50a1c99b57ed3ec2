// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.List;

/**
 * How the ranks of a job to be tell each other short records before they can communicate by
 * Hayate: an allgather, which any engine that starts several processes has. See {@link Bootstrap}.
 * If it is {@link AutoCloseable}, it is closed when a rank gives up, perhaps between the two calls.
 */
@FunctionalInterface
public interface Exchange {
    /**
     * Gives this rank's record to all ranks, and returns the records of all. Collective over the
     * ranks: it returns when all have called it. {@link Hayate#init(Bootstrap)} calls it twice, on
     * the thread that called init, and never afterwards.
     *
     * @param record what this rank tells; at most 4096 bytes, of a different length on each rank
     * @return one record of each rank, also of this one, in any order: records say whose they are
     * @throws Exception if not all ranks can be told; it becomes the cause of a
     *     {@link LaunchException}. A rank that is interrupted throws {@link InterruptedException}
     */
    List<byte[]> allgather(byte[] record) throws Exception;
}
