// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.BusyException;
import io.hayate.MismatchException;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.lifetime.FmplAnchor;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The communicators of one FMPL that this rank is a member of. */
public final class Communicators {
    private final FmplContext context;
    private final FmplAnchor anchor;
    private final CommunicatorState world;
    private final Set<CommunicatorState> open = ConcurrentHashMap.newKeySet();

    Communicators(FmplContext context) {
        this.context = context;
        anchor = context.anchor();
        world = new CommunicatorState(context, 0);
        open.add(world);
    }

    /** Returns the communicator of all ranks. */
    public CommunicatorState world() {
        return world;
    }

    /**
     * Creates a communicator; collective over the job. Returns the object that the maker creates
     * from it for the program.
     */
    public <T> T create(boolean member, Function<CommunicatorState, T> maker) {
        context.requireOpen();
        return register((int) VirtualThreads.await(() -> Errors.check(
                SetupBinding.commCreate(anchor.fmpl(), member ? 1 : 0))), maker);
    }

    /** The same, collective over the members of a communicator; color below 0: does not join. */
    public <T> T split(CommunicatorState from, int color, int key,
            Function<CommunicatorState, T> maker) {
        return makeFrom(from, () -> Errors.check(
                SetupBinding.commSplit(anchor.fmpl(), from.number, color, key)), maker);
    }

    /** The same of the members that live, collective over these; the other one may be broken. */
    public <T> T shrink(CommunicatorState from, Function<CommunicatorState, T> maker) {
        return makeFrom(from, () -> Errors.check(
                SetupBinding.commShrink(anchor.fmpl(), from.number)), maker);
    }

    private <T> T makeFrom(CommunicatorState from, LongSupplier make,
            Function<CommunicatorState, T> maker) {
        context.requireOpen();
        from.enter();
        try {
            return register((int) VirtualThreads.await(make), maker);
        } finally {
            from.leave();
        }
    }

    /** Begins to create one with ranks that this one has no communicator in common with. */
    public Offer offer(Object fmpl, int ranks) {
        context.requireOpen();
        return new Offer(anchor, ranks,
                number -> register(number, state -> Inside.communicator(fmpl, state)));
    }

    /** Returns the node of a rank of the job. */
    public int nodeOf(int jobRank) {
        context.requireOpen();
        int node = SetupBinding.nodeOf(anchor.fmpl(), jobRank);
        Reference.reachabilityFence(anchor);
        return node;
    }

    private <T> T register(int number, Function<CommunicatorState, T> maker) {
        try {
            CommunicatorState state = new CommunicatorState(context, number);
            T made = maker.apply(state);
            if (state.isMember()) {
                open.add(state);
            }
            return made;
        } catch (RuntimeException | Error e) {
            if (number != SetupBinding.NOT_A_MEMBER) {
                SetupBinding.commFree(anchor.fmpl(), number);
            }
            throw e;
        }
    }

    /** Closes a communicator on this rank; idempotent. The communicator of all ranks stays open. */
    public void close(CommunicatorState comm) {
        if (comm != world && comm.isMember() && comm.close()) {
            try {
                free(comm);
            } catch (BusyException | OutOfMemoryError refused) {
                comm.reopen();
                throw refused;
            }
        }
    }

    /** Called after the FMPL is closed, which frees all native communicators. */
    private void free(CommunicatorState comm) {
        if (!context.isClosed()) {
            try {
                Errors.check(SetupBinding.commFree(anchor.fmpl(), comm.number));
            } catch (MismatchException freed) {
                open.remove(comm);
                throw freed;
            }
            Reference.reachabilityFence(anchor);
        }
        open.remove(comm);
    }

    /** Returns whether a collective uses a range of the heap. */
    boolean uses(long start, long bytes) {
        for (CommunicatorState comm : open) {
            if (comm.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
