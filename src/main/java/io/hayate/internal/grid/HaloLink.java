// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.grid;

import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.MessageOperation;
import io.hayate.internal.job.Memory;

/** What two neighbours exchange across one face: the requests, prepared with their memory. */
final class HaloLink {
    private static final int MISMATCH = -7;

    final int peer;
    final long[] agreement;
    private final MessageOperation receive;
    private final MessageOperation send;
    private final Memory halo;
    private final Memory edge;

    HaloLink(int peer, MessageOperation receive, MessageOperation send, Memory halo, Memory edge,
            long[] agreement) {
        this.peer = peer;
        this.receive = receive;
        this.send = send;
        this.halo = halo;
        this.edge = edge;
        this.agreement = agreement;
    }

    void receive() {
        receive.begin(halo, 0, halo.bytes);
    }

    void send() {
        send.begin(edge, 0, edge.bytes);
    }

    void await() {
        long bytes = receive.await();
        send.await();
        if (bytes != halo.bytes) {
            throw Errors.exception(MISMATCH, "rank " + peer + " sent " + bytes + " bytes for a"
                    + " halo of " + halo.bytes + ": the entries of a halo exchange must not be used"
                    + " for other messages", peer);
        }
    }

    /** Withdraws the receive after a failure, which counts, and not another one of this call. */
    void cancel() {
        try {
            receive.cancel();
        } catch (HayateException | OutOfMemoryError also) {
            // it stays in use
        }
    }

    // The agreement at set-up, over the same entries.

    void receive(long[] words) {
        Memory memory = memory(words);
        receive.begin(memory, 0, memory.bytes);
    }

    void sendAgreement() {
        Memory memory = memory(agreement);
        send.begin(memory, 0, memory.bytes);
    }

    void awaitAgreement() {
        receive.await();
        send.await();
    }

    private static Memory memory(long[] words) {
        return new Memory(words, 0, (long) words.length * Long.BYTES, false, null, null);
    }
}
