// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.SendBufferState;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Memory;
import java.lang.ref.Reference;
import java.time.Duration;

/**
 * The send buffer of one FMPL, which is kept reachable, and pinned if it is in the heap, while C
 * has its address.
 */
public final class SendBuffer {
    private final FmplContext context;
    private Memory memory; // guarded by this

    SendBuffer(FmplContext context) {
        this.context = context;
    }

    /** Sets the memory; null removes it. */
    public synchronized void set(Memory next, Duration timeout) {
        context.requireOpen();
        if (next == null) {
            set(0, 0, 0, null);
            return;
        }
        if (next.array != null) {
            throw Errors.argument("the send buffer must be native memory: of the heap, or a direct"
                    + " buffer");
        }
        set(next.writable(context.job(), 0, next.bytes), next.bytes, micros(timeout), next);
    }

    private void set(long start, long bytes, int micros, Memory next) {
        Errors.check(SetupBinding.sendBufferSet(context.handle(), start, bytes, micros));
        if (next != null) {
            next.pin();
        }
        unpin();
        memory = next;
    }

    private static int micros(Duration timeout) {
        long seconds = Errors.required(timeout, "timeout").getSeconds();
        if (seconds < 0 || seconds >= Integer.MAX_VALUE / 1_000_000) {
            throw Errors.argument("time-out " + Deadline.text(timeout)
                    + ": expected 0 to 35 minutes");
        }
        return (int) (seconds * 1_000_000 + timeout.getNano() / 1_000);
    }

    private void unpin() {
        if (memory != null) {
            memory.unpin();
        }
    }

    /** Called when the FMPL is closed; the memory stays reachable with it. */
    synchronized void close() {
        unpin();
    }

    /** Sends the messages whose receives have come. */
    public SendBufferState check() {
        context.requireOpen();
        int[] result = new int[2];
        Errors.check(SetupBinding.sendBufferCheck(context.handle(), result));
        Reference.reachabilityFence(this);
        return new SendBufferState(result[0], result[1]);
    }
}
