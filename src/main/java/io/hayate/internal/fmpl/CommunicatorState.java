// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.Errors;
import io.hayate.internal.SetupBinding;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A communicator, apart from the {@code Communicator} that the program has: it lets one collective
 * in at a time.
 */
public final class CommunicatorState {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;

    final FmplContext context;
    final int number;
    private final int rank;
    private final int size;
    private final AtomicInteger state = new AtomicInteger(FREE);
    /** Heap memory of the collective under way, a hint for who closes that; 0: none. */
    private volatile long using;

    CommunicatorState(FmplContext context, int number) {
        this.context = context;
        this.number = number;
        boolean member = number != SetupBinding.NOT_A_MEMBER;
        rank = member ? Errors.check(SetupBinding.commRank(context.handle(), number)) : -1;
        size = member ? Errors.check(SetupBinding.commSize(context.handle(), number)) : 0;
    }

    /** By which C knows it. */
    public int number() {
        return number;
    }

    /** Of this rank; -1: it is not a member. */
    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    public boolean isMember() {
        return rank >= 0;
    }

    /** Enters a collective; leave() follows. */
    public void enter() {
        if (!isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        int before = state.compareAndExchange(FREE, BUSY);
        if (before == BUSY) {
            throw Errors.busy("a collective is under way on the communicator: one at a time");
        }
        if (before == CLOSED) {
            throw Errors.closed("the communicator");
        }
    }

    public void leave() {
        state.setRelease(FREE);
    }

    /** False: it is closed already. */
    boolean close() {
        int before = state.compareAndExchange(FREE, CLOSED);
        if (before == BUSY) {
            throw Errors.busy("a collective is under way on the communicator");
        }
        return before == FREE;
    }

    /** It could not be freed. */
    void reopen() {
        state.setRelease(FREE);
    }

    void use(long address) {
        using = address;
    }

    boolean uses(long start, long bytes) {
        return Lanes.isWithin(using, start, bytes);
    }
}
