// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import io.hayate.Span;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.Inside;
import io.hayate.internal.windows.HeapSpace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What a window is made of, how its members create and free it, and how its calls fail. */
class WinState {
    static final int CREATED = 0;
    static final int DYNAMIC = 1;
    static final int SHARED = 2;
    /** What a member tells the others: numbers in this order. */
    private static final int FAILURE = 0;
    private static final int FLAVOR = 1;
    private static final int CONTROL = 2;
    private static final int AT = 3;
    private static final int BYTES = 4;
    private static final int UNIT = 5;
    private static final int COPIED = 6;
    private static final int NUMBERS = 7;

    Engine engine;
    Members members;
    int rank;
    int flavor;
    /** For the collectives of this window only. */
    Communicator collectives;
    Heaps heaps;
    WinLock lock;
    Epochs epochs;
    /** Where the memory of each member begins in its heap. */
    long[] starts;
    /** How long it is; -1: the window is dynamic. */
    long[] bytes;
    int[] units;
    /** The memory of each member, if it is mapped here and not too long for a buffer; else null. */
    ByteBuffer[] mapped;
    /** Whether a member has its memory outside of the heap. */
    boolean[] copied;
    /** The memory of this rank. */
    Part part = Part.NOTHING;
    /** What all have attached; null: the window is not dynamic. */
    Regions regions;
    private boolean someAreCopied;
    private Control control;
    private volatile Errhandler errhandler = Errhandler.RETURN;

    WinState() {
    }

    // ---- failures ----

    final Errhandler handler() {
        return errhandler;
    }

    final void handler(Errhandler next) {
        if (next == null) {
            throw fails(new MPIException(ErrorClass.ARG, "the error handler is null: expected"
                    + " MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL"));
        }
        errhandler = next;
    }

    /** Returns an exception to throw, unless the error handler ends the job. */
    final MPIException fails(MPIException failure) {
        if (errhandler.aborts() && engine != null) {
            engine.job.abort(Math.max(1, failure.getErrorClass()), failure.getMessage());
        }
        return failure;
    }

    /** Returns the exception for a native call that failed with this code. */
    final MPIException failed(int code) {
        try {
            Errors.check(code);
        } catch (HayateException failure) {
            return fails(Failures.of(failure));
        }
        throw new AssertionError("no failure: " + code);
    }

    /** Does what may fail, and lets the error handler hear of it. */
    final <T> T guarded(Supplier<T> what) {
        try {
            return what.get();
        } catch (MPIException failure) {
            throw fails(failure);
        } catch (HayateException failure) {
            throw fails(Failures.of(failure));
        }
    }

    final void guard(Runnable what) {
        guarded(() -> {
            what.run();
            return null;
        });
    }

    final Engine requireOpen() {
        if (heaps == null) {
            Engine.get();
            throw fails(new MPIException(ErrorClass.WIN, "the window was freed"));
        }
        return engine;
    }

    /** Says whether a rank is a member; false: it is PROC_NULL. */
    final boolean isMember(int target) {
        if (target == Constants.PROC_NULL) {
            return false;
        }
        if (target < 0 || target >= members.size()) {
            throw new MPIException(ErrorClass.RANK, "the target is rank " + target
                    + ": expected 0 to " + (members.size() - 1) + ", or MPI.PROC_NULL");
        }
        return true;
    }

    // ---- creation ----

    /** Checks what all members need of a communicator. */
    static Comm usable(Comm comm) {
        if (comm == null) {
            throw new MPIException(ErrorClass.COMM, "the communicator is null: expected one such as"
                    + " MPI.COMM_WORLD");
        }
        comm.requireOpen();
        if (comm.isInterComm()) {
            throw comm.fails(ErrorClass.COMM, "the communicator is an intercommunicator: expected"
                    + " one of one group");
        }
        return comm;
    }

    /** Creates the window of what makes the memory of this rank; collective. */
    final void open(Comm comm, int kind, Function<Engine, Part> memory, IntSupplier unit) {
        Engine its = comm.engine;
        requireOneNode(comm, kind);
        members = comm.members;
        rank = comm.rank;
        flavor = kind;
        collectives = comm.collectives.dup();
        MPIException failure = null;
        int bytesOfUnit = 0;
        try {
            bytesOfUnit = unit.getAsInt();
            control = new Control(its.job, members.size());
            part = memory.apply(its);
        } catch (MPIException why) {
            failure = why;
        } catch (HayateException why) {
            failure = Failures.of(why);
        } catch (OutOfMemoryError full) { // the others are told, too
            failure = new MPIException(ErrorClass.NO_MEM, "no memory for a window: " + full);
        }
        long[] all = new long[NUMBERS * members.size()];
        collectives.allgather(Span.of(told(its, failure, bytesOfUnit)), Span.of(all));
        try {
            accept(all, failure);
            Agreement.on(collectives, () -> become(its, all));
        } catch (MPIException | HayateException why) {
            release();
            throw why;
        }
    }

    private static void requireOneNode(Comm comm, int kind) {
        for (int i = 0; kind == SHARED && i < comm.members.size(); i++) {
            if (comm.engine.nodeOf(comm.members.world(i)) != comm.engine.nodeOf(
                    comm.members.world(0))) {
                throw new MPIException(ErrorClass.RMA_SHARED, "ranks 0 and " + i + " are on"
                        + " different nodes: a shared window needs members of one node, such as"
                        + " those of splitType(Comm.TYPE_SHARED, ..)");
            }
        }
    }

    private long[] told(Engine its, MPIException failure, int unit) {
        long[] mine = new long[NUMBERS];
        mine[FLAVOR] = flavor;
        if (failure != null) {
            mine[FAILURE] = failure.getErrorClass();
            return mine;
        }
        mine[CONTROL] = Part.offset(its, control.memory());
        mine[AT] = part.at();
        mine[BYTES] = flavor == DYNAMIC ? -1 : part.bytes();
        mine[UNIT] = unit;
        mine[COPIED] = part.shadow() == null ? 0 : 1;
        return mine;
    }

    private void accept(long[] all, MPIException failure) {
        if (failure != null) {
            throw failure;
        }
        for (int i = 0; i < members.size(); i++) {
            long[] its = Arrays.copyOfRange(all, i * NUMBERS, (i + 1) * NUMBERS);
            if (its[FAILURE] != 0) {
                throw new MPIException((int) its[FAILURE], "rank " + i + " could not create the"
                        + " window: see the error of that rank");
            }
            if (its[AT] < 0 || its[BYTES] < -1 || its[UNIT] < 1 || its[CONTROL] < 0) {
                throw new MPIException(ErrorClass.INTERN, "rank " + i + " told numbers of its"
                        + " window that make no sense");
            }
            if (its[FLAVOR] != flavor) {
                throw new MPIException(ErrorClass.NOT_SAME, "rank " + i + " creates a window of"
                        + " another kind than this one: expected the same call on all members");
            }
        }
    }

    private void become(Engine its, long[] all) {
        int size = members.size();
        long[] controls = new long[size];
        long[] locks = new long[its.job.size()];
        starts = new long[size];
        bytes = new long[size];
        units = new int[size];
        copied = new boolean[size];
        for (int i = 0; i < size; i++) {
            int first = i * NUMBERS;
            controls[i] = all[first + CONTROL];
            locks[members.world(i)] = controls[i] + Control.ACCUMULATES;
            starts[i] = all[first + AT];
            bytes[i] = all[first + BYTES];
            units[i] = (int) all[first + UNIT];
            copied[i] = all[first + COPIED] != 0;
            someAreCopied |= copied[i];
        }
        engine = its;
        epochs = new Epochs(size);
        heaps = new Heaps(space(its, locks), members, rank, controls);
        mapped = new ByteBuffer[size];
        for (int i = 0; i < size; i++) {
            mapped[i] = heaps.mapped(i, starts[i], bytes[i]);
        }
        lock = new WinLock(heaps);
        if (flavor == DYNAMIC) {
            regions = new Regions(heaps, control, rank);
        }
        its.windows.add(this);
    }

    /** Opens the space of all heaps; tests let it fail. */
    HeapSpace space(Engine its, long[] locks) {
        return HeapSpace.open(Inside.ofFmpl(its.fmpl), locks);
    }

    // ---- memory outside of the heap ----

    /** Says whether a member may have memory outside of the heap; the same on all. */
    final boolean hasCopies() {
        return someAreCopied || flavor == DYNAMIC;
    }

    /** Exchanges with copies what the program and others have stored. */
    final void merge() {
        if (regions != null) {
            regions.merge();
        } else {
            part.merge();
        }
    }

    // ---- the end ----

    /** Gives everything back, when no member uses it any more. */
    final void release() {
        Heaps old = heaps;
        heaps = null;
        if (old != null) {
            epochs.close();
            engine.windows.remove(this);
            old.close();
        }
        if (regions != null) {
            regions.close();
        }
        part.close();
        if (control != null) {
            control.close();
        }
        Comm.close(collectives);
    }
}
