// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.FmplDoor;
import io.hayate.internal.PcollDoor;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The persistent operations of one FMPL. Their native state stays until nobody can reach the FMPL;
 * their memory, which peers reach, until they are closed, or as long as that.
 */
final class Persistents {
    private static final String[] NAMES = {"barrier", "bcast", "reduce", "allreduce", "gather",
        "scatter", "allgather", "alltoall", "reduce_scatter"};

    private final Fmpl fmpl;
    private final Hayate job;
    private final FmplAnchor anchor;
    private final Messages messages;
    private final Set<PersistentOperation> alive = ConcurrentHashMap.newKeySet();

    Persistents(Fmpl fmpl, Hayate job, FmplAnchor anchor, Messages messages) {
        this.fmpl = fmpl;
        this.job = job;
        this.anchor = anchor;
        this.messages = messages;
    }

    PersistentOperation open(Communicator comm, Preparation what, CollOptions options) {
        Errors.required(options, "options");
        fmpl.requireOpen();
        comm.enter();
        try {
            PersistentOperation made = new PersistentOperation(this, what);
            try {
                made.hold(fmpl);
                add(made);
                made.open(init(comm, what, options, made));
                return made;
            } catch (RuntimeException | Error e) {
                made.discard();
                remove(made);
                throw e;
            }
        } finally {
            comm.leave();
        }
    }

    /** The operation. Addresses are asked for when it holds the memory already. */
    private long init(Communicator comm, Preparation what, CollOptions options,
            PersistentOperation made) {
        String name = NAMES[what.collective];
        String wishes = options.toString();
        String property = properties(name).toString();
        String rules = System.getProperty("hayate.coll.rules");
        Span in = what.in;
        Span out = what.out;
        long inStart = in == null ? 0 : messages.start(in, 0, in.bytes);
        long outStart = out == null ? 0 : messages.startWritable(out, 0, out.bytes);
        long result = VirtualThreads.await(() -> Errors.check(PcollDoor.init(anchor.fmpl(),
                comm.number(), what.collective,
                in == null ? null : in.array, inStart, in == null ? 0 : in.bytes,
                out == null ? null : out.array, outStart, out == null ? 0 : out.bytes,
                what.count, what.reduction == null ? 0 : what.reduction.operation(), what.root,
                made.functionNumber(), what.which, what.blocks, wishes, property,
                rules)));
        Reference.reachabilityFence(made);
        Reference.reachabilityFence(anchor);
        return result;
    }

    /** That of the one collective is the stronger one. */
    private static CollOptions properties(String name) {
        return property("hayate.coll." + name).or(property("hayate.coll"));
    }

    private static CollOptions property(String key) {
        String text = System.getProperty(key);
        return text == null ? CollOptions.AUTO : OptionWords.parse(text, "property " + key);
    }

    private void add(PersistentOperation operation) {
        alive.add(operation);
        anchor.kept().add(operation.memory());
    }

    /** It is closed, natively too. */
    void remove(PersistentOperation operation) {
        alive.remove(operation);
        anchor.kept().remove(operation.memory());
        operation.letGo();
        operation.forgetFunction();
    }

    /** The FMPL is closed: no run begins any more. */
    void close() {
        alive.forEach(PersistentOperation::letGo);
        alive.clear();
    }

    void requireOpen() {
        fmpl.requireOpen();
    }

    void await(long operation) {
        if (!VirtualThreads.isCurrent()) {
            Errors.check(PcollDoor.await(operation));
        } else if (Errors.check(PcollDoor.awaitBounded(operation)) == FmplDoor.IN_PROGRESS) {
            job.waker().await(() -> Errors.check(PcollDoor.test(operation)));
        }
    }

    void progress() {
        fmpl.requireOpen();
        PcollDoor.progress(anchor.fmpl());
        Reference.reachabilityFence(anchor);
    }
}
