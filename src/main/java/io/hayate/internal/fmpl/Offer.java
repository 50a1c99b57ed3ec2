// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.FmplAnchor;
import java.lang.ref.Reference;
import java.util.function.IntFunction;

/**
 * One member's part in the creation of a communicator of ranks that have none in common. They tell
 * each other their records, each accepts all records, and when they know whether all have accepted,
 * each ends its offer. One thread.
 */
public final class Offer {
    private final FmplAnchor anchor;
    private final IntFunction<Object> maker;
    private final byte[] record = new byte[SetupBinding.offerBytes()];
    private final long offer;

    Offer(FmplAnchor anchor, int ranks, IntFunction<Object> maker) {
        this.anchor = anchor;
        this.maker = maker;
        offer = SetupBinding.offerMake(anchor.fmpl(), ranks, record);
    }

    /** Returns what the other members are to be told. It says so if the offer has failed. */
    public byte[] record() {
        return record;
    }

    /**
     * Takes the ranks and the records of all members, in the order of their numbers. Throws if this
     * or another member cannot go on; the others are then to be told.
     */
    public void accept(int self, int[] ranks, byte[] records) {
        Errors.check(SetupBinding.offerAccept(offer, self, ranks.length, ranks, records));
        Reference.reachabilityFence(anchor);
    }

    /** All have accepted: returns the Communicator. */
    public Object conclude() {
        return maker.apply(SetupBinding.offerEnd(offer, 0));
    }

    /** Ends it without a communicator; known: nobody uses it. */
    public void withdraw(boolean known) {
        SetupBinding.offerEnd(offer, known ? 1 : 2);
        Reference.reachabilityFence(anchor);
    }
}
