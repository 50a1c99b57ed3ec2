// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * A window: memory of each member of a communicator, which the other members access without its
 * help. Accesses need an epoch: fences, start() and complete(), or locks.
 *
 * <p><strong>Memory.</strong> Others access memory of {@link MPI#newByteBuffer} and its kin where
 * it is. Any other direct buffer has a copy in the heap, which they access instead. What the
 * program stores goes into the copy, and what others have stored comes back, in the calls by which
 * the program synchronises its own memory: fence(), post(), waitFor(), test(), lock() and unlock()
 * of its own rank, lockAll(), unlockAll(), sync() and free(), and in the barrier of any
 * communicator. Each of them compares all of the buffer, but leaves alone one whose arena is closed
 * or belongs to another thread. A message does not suffice.
 *
 * <p><strong>Accesses.</strong> Buffers of an access are direct, or have an array; their positions
 * and limits do not matter. They can be used again when the call returns. Data arrive at the
 * latest at the end of the epoch, or at a flush. An accumulate is atomic for each element with
 * respect to other accumulates, compareAndSwap() and fetchAndOp(), whatever their operations.
 * Accumulates take a lock of the target for a moment.
 *
 * <p><strong>Displacements</strong> count from the beginning of the target's memory, in its own
 * units. In a dynamic window they are bytes: the first buffer that the target attaches begins at
 * 0, each one behind it at the next multiple of 64; those of detached buffers are not used again.
 *
 * <p><strong>Threads.</strong> Any number of threads may access and flush a window at once, and
 * lock different ranks.
 *
 * <p><strong>Errors.</strong> All methods throw {@link MPIException}: ERR_WIN after {@link #free};
 * ERR_RMA_SYNC for an access outside of an epoch, and for calls of synchronisation in a wrong
 * order; accesses ERR_RANK, ERR_DISP (below 0), ERR_RMA_RANGE (outside of the target's memory),
 * ERR_BUFFER, ERR_COUNT, ERR_TYPE, ERR_OP, ERR_TRUNCATE (more data than elements at the
 * destination); and ERR_PROC_FAILED. A call that fails for its arguments changes nothing. A wait
 * ends within a second if a process dies.
 */
public final class Win extends WinAccess implements Freeable {
    /** No window. */
    public static final int WIN_NULL = 0;
    /** A window whose members may be on any nodes. */
    public static final int FLAVOR_PRIVATE = 0;
    /** A window whose members are on one node, for {@link #sharedQuery}. */
    public static final int FLAVOR_SHARED = 1;

    /**
     * Creates a window over memory of the program; collective. The members may pass different
     * sizes and units. If the buffer is empty, this rank has no memory in the window.
     *
     * @param base the memory of this rank, a direct buffer; it must stay as it is until free()
     * @param size elements of the buffer
     * @param dispUnit elements of the buffer that a displacement counts
     * @param info hints; with {@code no_locks} as {@code true} nobody can lock the window
     * @param comm the members
     * @throws MPIException ERR_COMM, ERR_BASE (no direct buffer), ERR_SIZE (more elements than the
     *     buffer has), ERR_DISP, ERR_INFO; ERR_NO_MEM if there is no room in the heap
     */
    public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) {
        usable(comm).guarded(() -> {
            create(CREATED, its -> Part.of(its, base, Part.bytes(base, size, ErrorClass.BASE)),
                    () -> unit(base, dispUnit), info, comm);
            return null;
        });
    }

    /**
     * Creates a window without memory, to which members attach some; collective.
     *
     * @param info hints, as of the other constructor
     * @param comm the members
     * @throws MPIException ERR_COMM, ERR_INFO, ERR_NO_MEM
     */
    public Win(Info info, Comm comm) {
        usable(comm).guarded(() -> {
            create(DYNAMIC, its -> Part.NOTHING, () -> 1, info, comm);
            return null;
        });
    }

    /**
     * Creates a window over memory that is allocated for it, and contains zeros; collective. It is
     * reached through the window, or by {@link #sharedQuery}. But if the buffer that is passed has
     * room for all elements, it is the memory, as of the other constructor.
     *
     * @param size elements of the type of the buffer
     * @param dispUnit elements that a displacement counts
     * @param info hints, as of the other constructor
     * @param comm the members
     * @param base a direct buffer, which may be empty
     * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
     * @throws MPIException ERR_COMM, ERR_BASE (no direct buffer), ERR_SIZE (below 0), ERR_DISP,
     *     ERR_INFO, ERR_NO_MEM, ERR_RMA_FLAVOR; ERR_RMA_SHARED if members of a shared window are
     *     on different nodes
     */
    public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) {
        usable(comm).guarded(() -> {
            create(flavor == FLAVOR_SHARED ? SHARED : CREATED, its -> {
                if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED) {
                    throw new MPIException(ErrorClass.RMA_FLAVOR, "the flavor is " + flavor
                            + ": expected Win.FLAVOR_PRIVATE or Win.FLAVOR_SHARED");
                }
                Part.checkSize(size);
                Part.bytes(base, 0, ErrorClass.BASE);
                long length = (long) size * (unit(base, dispUnit) / dispUnit);
                return base != null && base.capacity() >= size ? Part.of(its, base, length)
                        : Part.allocated(its, length);
            }, () -> unit(base, dispUnit), info, comm);
            return null;
        });
    }

    /** Returns the bytes that a displacement counts. */
    private static int unit(Buffer base, int dispUnit) {
        int element = base == null ? 1 : Kind.of(base).bytes;
        if (dispUnit < 1 || dispUnit > Integer.MAX_VALUE / element) {
            throw new MPIException(ErrorClass.DISP, "the unit of displacements is " + dispUnit
                    + " elements: expected 1 or more, and less than 2 GiB");
        }
        return dispUnit * element;
    }

    /** A wrong argument of one member fails on all of them, so it is found in the meeting. */
    private void create(int kind, Function<Engine, Part> memory, IntSupplier unit, Info info,
            Comm comm) {
        open(comm, kind, its -> {
            describe(info);
            return memory.apply(its);
        }, unit);
        prepare();
    }

    /**
     * Frees the window, when all members have called this method; collective. If it is refused on
     * one member, it is refused on all, and the window stays as it is.
     *
     * @throws MPIException ERR_RMA_SYNC if a member is within an epoch of start(), post(), lock()
     *     or lockAll()
     */
    @Override
    public void free() {
        requireOpen();
        guard(() -> {
            Agreement.on(collectives, () -> epochs.requireNone("free()"));
            meet();
            release();
        });
    }

    // ---- dynamic windows, shared windows ----

    private void requireDynamic() {
        if (regions == null) {
            throw new MPIException(ErrorClass.RMA_FLAVOR, "the window is not dynamic: expected one"
                    + " of new Win(info, comm)");
        }
    }

    /**
     * Lets others access a buffer through this dynamic window. Not collective. The program tells
     * the others, who must not access it before.
     *
     * @param base a direct buffer
     * @param size elements of the buffer
     * @throws MPIException ERR_RMA_FLAVOR if the window is not dynamic; ERR_RMA_ATTACH if it is no
     *     direct buffer, it is attached already, or 64 are attached; ERR_SIZE, ERR_NO_MEM
     */
    public void attach(Buffer base, int size) {
        requireOpen();
        guard(() -> {
            requireDynamic();
            long length = Part.bytes(base, size, ErrorClass.RMA_ATTACH);
            if (length == 0 || regions.has(base)) {
                throw new MPIException(ErrorClass.RMA_ATTACH, (length == 0
                        ? "the buffer has no elements" : "the buffer is attached already")
                        + ": expected another one");
            }
            regions.attach(Part.of(engine, base, length));
        });
    }

    /**
     * Ends the access of others to a buffer; none may access it any more.
     *
     * @param base the object that was passed to {@link #attach}
     * @throws MPIException ERR_RMA_FLAVOR if the window is not dynamic, ERR_RMA_ATTACH
     */
    public void detach(Buffer base) {
        requireOpen();
        guard(() -> {
            requireDynamic();
            regions.detach(base);
        });
    }

    /**
     * Returns the memory of a member of a shared window, or that of this rank in any, for loads
     * and stores. Open MPI's binding has no such method.
     *
     * @param rank the member
     * @return a direct buffer in the byte order of the machine, of no use after free()
     * @throws MPIException ERR_RMA_FLAVOR if the window is not shared; ERR_RMA_SHARED if the
     *     member's memory is not of {@link MPI#newByteBuffer} or its kin; ERR_RANK
     */
    public ByteBuffer sharedQuery(int rank) {
        requireOpen();
        return guarded(() -> {
            if (flavor != SHARED && rank != this.rank) {
                throw new MPIException(ErrorClass.RMA_FLAVOR, "the window is not shared: expected"
                        + " one of the flavor Win.FLAVOR_SHARED");
            }
            if (!isMember(rank) || bytes[rank] == 0) {
                return ByteBuffer.allocateDirect(0);
            }
            ByteBuffer memory = copied[rank] ? null : mapped[rank];
            if (memory == null) {
                throw new MPIException(ErrorClass.RMA_SHARED, "the memory of rank " + rank
                        + " cannot be shared: expected less than 2 GiB of a buffer of"
                        + " MPI.newByteBuffer and its kin");
            }
            return memory.duplicate().order(ByteOrder.nativeOrder());
        });
    }
}
