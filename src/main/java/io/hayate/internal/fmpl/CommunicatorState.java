// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of a communicator, separate from the {@code Communicator} of the program. It admits one
 * collective at a time.
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
    /**
     * Heap memory of the collective in progress, a hint for the thread that closes the memory; 0:
     * none.
     */
    private volatile long using;
    /** Created at the first use; null before. */
    private volatile Members members;
    private volatile long reading;
    private boolean broken; // of the thread that has entered it

    CommunicatorState(FmplContext context, int number) {
        this.context = context;
        this.number = number;
        boolean member = number != SetupBinding.NOT_A_MEMBER;
        rank = member ? Errors.check(SetupBinding.commRank(context.handle(), number)) : -1;
        size = member ? Errors.check(SetupBinding.commSize(context.handle(), number)) : 0;
    }

    /** Returns its number in C. */
    public int number() {
        return number;
    }

    /** Returns the number of this rank; -1: it is not a member. */
    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    public boolean isMember() {
        return rank >= 0;
    }

    /** Returns the members as ranks of the job. */
    public Members members() {
        if (state.getAcquire() == CLOSED) {
            throw Errors.closed("the communicator");
        }
        Members known = members;
        return known != null ? known : findMembers();
    }

    /** While it runs, nobody closes the communicator, whose number would be used again. */
    private synchronized Members findMembers() {
        if (state.getAcquire() == CLOSED) {
            throw Errors.closed("the communicator");
        }
        context.requireOpen();
        if (members == null) {
            members = Members.of(context, number, rank, size);
        }
        return members;
    }

    /** Enters a collective; the caller must call leave() afterwards. */
    public void enter() {
        if (!isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        int before = state.compareAndExchange(FREE, BUSY);
        if (before == BUSY) {
            throw Errors.busy("a collective is in progress on the communicator: only one can run"
                    + " at a time");
        }
        if (before == CLOSED) {
            throw Errors.closed("the communicator");
        }
    }

    /**
     * A collective has failed; called by the thread that has entered it. Returns whether other
     * members may still use its memory, because it had begun and is the first that failed.
     */
    boolean breaks(int code) {
        boolean first = !broken && Errors.leavesPeersInside(code,
                () -> SetupBinding.commIsBroken(context.handle(), number) != 0);
        broken |= first;
        return first;
    }

    public void leave() {
        state.setRelease(FREE);
    }

    /** Begins to close it; returns false if it is closed already. */
    synchronized boolean close() {
        int before = state.compareAndExchange(FREE, CLOSED);
        if (before == BUSY) {
            throw Errors.busy("a collective is in progress on the communicator");
        }
        return before == FREE;
    }

    /** Reopens it, because C could not free it. */
    void reopen() {
        state.setRelease(FREE);
    }

    /** Describes it for a debugger. */
    @Override
    public String toString() {
        String member = isMember() ? ": rank " + rank + " of " + size : " without this rank";
        return "communicator" + member + (state.get() == CLOSED ? ", closed" : "");
    }

    void use(long address) {
        using = address;
    }

    /** The input of a collective that has a separate one. */
    void read(long address) {
        reading = address;
    }

    boolean uses(long start, long bytes) {
        return Lanes.isWithin(using, start, bytes) || Lanes.isWithin(reading, start, bytes);
    }
}
