// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.MemoryUser;
import io.hayate.internal.lifetime.FmplAnchor;
import io.hayate.internal.lifetime.Reclaim;
import java.util.function.Function;

/**
 * The state of an FMPL, separate from the {@code Fmpl} of the program: its parts, open and close.
 */
public final class FmplState implements MemoryUser {
    private final FmplContext context;
    private final Areas areas;
    private final Lanes lanes;
    private final Messages messages;
    private final Collectives collectives;
    private final Communicators communicators;
    private final HeldMemories persistent;
    private final SendBuffer sendBuffer;
    private final Instrument instrument;
    private Runnable beforeClose = () -> { };
    private boolean released; // guarded by this

    private FmplState(FmplContext context, Areas areas, int count) {
        this.context = context;
        this.areas = areas;
        context.readLimit();
        lanes = new Lanes(context.job().size(), count);
        context.anchor().kept().add(lanes.kept());
        messages = new Messages(context, lanes);
        persistent = new HeldMemories(context);
        collectives = new Collectives(context, persistent);
        sendBuffer = new SendBuffer(context);
        instrument = new Instrument(context);
        communicators = new Communicators(context);
    }

    /**
     * Opens an FMPL; collective over the job. Returns the object that the maker creates from it for
     * the program.
     */
    public static <T> T open(Job job, HeapBlock matching, HeapBlock flags, int count,
            Function<FmplState, T> maker) {
        Areas areas = new Areas(matching, flags);
        FmplAnchor anchor = new FmplAnchor(job.anchor());
        areas.pin();
        try {
            anchor.take(Reclaim.open(() -> areas.open(job, count)));
            FmplState state = new FmplState(new FmplContext(job, anchor), areas, count);
            T made = maker.apply(state);
            job.add(state);
            return made;
        } catch (RuntimeException | Error e) {
            anchor.drop();
            areas.unpin();
            throw e;
        }
    }

    public FmplContext context() {
        return context;
    }

    public Messages messages() {
        return messages;
    }

    /** Returns a new request of a lane, for an object that starts it again and again. */
    public MessageOperation request(int peer, int mai, boolean sends) {
        lanes.index(peer, mai); // checks both
        return new MessageOperation(messages, peer, mai, sends);
    }

    public Collectives collectives() {
        return collectives;
    }

    public Communicators communicators() {
        return communicators;
    }

    /** Returns the memory of persistent operations. */
    public HeldMemories persistent() {
        return persistent;
    }

    public SendBuffer sendBuffer() {
        return sendBuffer;
    }

    public Instrument instrument() {
        return instrument;
    }

    /** Sets what is done before the native close; by the thread that opens it. */
    void beforeClose(Runnable action) {
        beforeClose = action;
    }

    /** Closes it on this rank; idempotent. */
    public synchronized void close() {
        if (released) {
            return;
        }
        warn();
        context.close();
        HayateException mismatch = Errors.failureIfRoom(SetupBinding.fmplClose(context.handle()));
        persistent.close(); // fails without memory; close can then be called again
        areas.unpin();
        sendBuffer.close();
        context.job().remove(this);
        context.anchor().closed(0);
        released = true;
        if (mismatch != null) {
            throw mismatch;
        }
    }

    /** Describes it for a debugger. */
    @Override
    public String toString() {
        return "Fmpl with " + lanes.count() + " mai: " + context;
    }

    private void warn() {
        try {
            if (!context.isClosed()) {
                beforeClose.run();
            }
        } catch (OutOfMemoryError full) {
            // no memory to warn: the close matters more
        }
    }

    @Override
    public boolean uses(long start, long bytes) {
        return lanes.uses(start, bytes) || communicators.uses(start, bytes);
    }
}
