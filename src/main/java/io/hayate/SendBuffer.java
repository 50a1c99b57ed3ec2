// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.SetupDoor;
import java.lang.ref.Reference;
import java.time.Duration;

/** The send buffer of one FMPL: kept reachable, and in the heap pinned, while C has its address. */
final class SendBuffer {
    private final FmplAnchor anchor;
    private final Messages messages;
    private Span memory;

    SendBuffer(FmplAnchor anchor, Messages messages) {
        this.anchor = anchor;
        this.messages = messages;
    }

    synchronized void set(Span next, Duration timeout) {
        if (next == null) {
            set(0, 0, 0, null);
            return;
        }
        if (next.array != null) {
            throw Errors.argument("a send buffer has to be native: of the heap, or direct");
        }
        set(messages.startWritable(next, 0, next.bytes), next.bytes, micros(timeout), next);
    }

    private void set(long start, long bytes, int micros, Span next) {
        Errors.check(SetupDoor.spoolSet(anchor.fmpl(), start, bytes, micros));
        if (next != null && next.root != null) {
            next.root.pin();
        }
        unpin();
        memory = next;
    }

    private static int micros(Duration timeout) {
        long seconds = Errors.required(timeout, "timeout").getSeconds();
        if (seconds < 0 || seconds >= Integer.MAX_VALUE / 1_000_000) {
            throw Errors.argument("time-out " + timeout + ": expected 0 to 35 minutes");
        }
        return (int) (seconds * 1_000_000 + timeout.getNano() / 1_000);
    }

    private void unpin() {
        if (memory != null && memory.root != null) {
            memory.root.unpin();
        }
    }

    /** The FMPL is closed; the memory stays reachable with it. */
    synchronized void close() {
        unpin();
    }

    SendBufferState check() {
        int[] result = new int[2];
        Errors.check(SetupDoor.spoolCheck(anchor.fmpl(), result));
        Reference.reachabilityFence(this);
        return new SendBufferState(result[0], result[1]);
    }
}
