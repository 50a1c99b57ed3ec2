// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.HayateException;
import io.hayate.internal.bindings.WindowBinding;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The accesses of a window: what this process reads and writes of the memory of members. */
class WinAccess extends WinSync {
    WinAccess() {
    }

    // ---- checks ----

    /** Refuses an access of a member; returns whether there is one: false for PROC_NULL. */
    private boolean reaches(int target, int disp, int count, Datatype type) {
        if (Datatype.usable(type).kind.element == Kind.OBJECT) {
            throw new MPIException(ErrorClass.TYPE, "objects have no memory that others can access:"
                    + " expected a datatype of primitive types");
        }
        if (count < 0) {
            throw new MPIException(ErrorClass.COUNT, "the number of elements at the target is "
                    + count + ": expected 0 or more");
        }
        if (!isMember(target)) {
            return false;
        }
        epochs.requireReach(target);
        if (disp < 0) {
            throw new MPIException(ErrorClass.DISP, "the displacement is " + disp
                    + ": expected 0 or more");
        }
        epochs.used = true;
        return true;
    }

    /** Returns where elements of a member are in its heap. */
    private long locate(int target, int disp, int count, Datatype type) {
        if (count == 0 || type.bytes == 0) {
            return 0;
        }
        long from = (long) disp * units[target];
        if (regions != null) {
            return regions.locate(target, from, count, type);
        }
        if (!Layout.fits(type.map, from, count, bytes[target])) {
            throw new MPIException(ErrorClass.RMA_RANGE, count + " elements of the datatype " + type
                    + " at displacement " + disp + " (" + from + " bytes) are not within the "
                    + bytes[target] + " bytes of rank " + target);
        }
        return starts[target] + from;
    }

    private static void requireMemory(Block block) {
        if (block.isObjects()) {
            throw new MPIException(ErrorClass.TYPE, "objects cannot be put into memory: expected a"
                    + " datatype of primitive types");
        }
    }

    /** Returns the bytes that move, which the elements at the destination must have room for. */
    private static long fitting(long moving, int count, Datatype type) {
        if (moving > Layout.bytesNeeded(count, type)) {
            throw new MPIException(ErrorClass.TRUNCATE, moving + " bytes go to " + count
                    + " elements of the datatype " + type + ", which are "
                    + Layout.bytesNeeded(count, type) + ": expected no fewer");
        }
        return moving;
    }

    /** Returns the place of one block in a member's heap, for native code; -1: look closer. */
    private long quickly(int orgCount, Datatype orgType, int target, int disp, int count,
            Datatype type) {
        if (heaps == null || orgType == null || !orgType.plain || type == null || !type.plain
                || orgCount < 0 || target < 0 || target >= starts.length || disp < 0
                || !epochs.reach[target]) {
            return -1;
        }
        long length = orgCount * orgType.bytes;
        long from = (long) disp * units[target];
        return length == count * type.bytes && from <= bytes[target] - length
                ? starts[target] + from : -1;
    }

    /** Says whether a word at this place of a heap can be accessed without native code. */
    private boolean isMapped(int target, long at) {
        return mapped[target] != null && (at & Long.BYTES - 1) == 0;
    }

    // ---- put, get ----

    /**
     * Writes elements to a member.
     *
     * @param origin the data
     * @param orgCount the number of elements
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element goes
     * @param targetCount the number of elements there
     * @param targetType their type
     */
    public void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) {
        long at = quickly(orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        if (at >= 0 && orgCount * orgType.bytes <= Payload.direct(origin)) {
            epochs.used = true;
            long length = orgCount * orgType.bytes;
            if (isMapped(targetRank, at) && Words.isFirst(origin, length)) {
                Words.put(mapped[targetRank], (int) (at - starts[targetRank]), length,
                        Words.load(origin, length));
                return;
            }
            int rc = WindowBinding.put(heaps.handle(), origin, 0, length,
                    members.world(targetRank), at);
            Reference.reachabilityFence(this);
            if (rc != 0) {
                throw failed(rc);
            }
            return;
        }
        requireOpen();
        guard(() -> put(Block.of(origin, orgCount, orgType), targetRank, targetDisp, targetCount,
                targetType));
    }

    private void put(Block from, int target, int disp, int count, Datatype type) {
        requireMemory(from);
        from.requireSent();
        if (reaches(target, disp, count, type)) {
            long at = locate(target, disp, count, type);
            long moving = fitting(Layout.bytesNeeded(from.count(), from.type()), count, type);
            Payload data = from.sent();
            TargetBlocks.visit(at, type, moving,
                    (packed, n, where) -> heaps.put(data, packed, n, target, where));
        }
    }

    /**
     * Reads elements of a member.
     *
     * @param origin the room for the data
     * @param orgCount the elements that there is room for
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type
     */
    public void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) {
        long at = quickly(orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        if (at >= 0 && orgCount * orgType.bytes <= Payload.direct(origin)
                && !origin.isReadOnly()) {
            epochs.used = true;
            long length = orgCount * orgType.bytes;
            if (isMapped(targetRank, at) && Words.isFirst(origin, length)) {
                Words.store(origin, length, Words.get(mapped[targetRank],
                        (int) (at - starts[targetRank]), length));
                return;
            }
            int rc = WindowBinding.get(heaps.handle(), origin, 0, length,
                    members.world(targetRank), at);
            Reference.reachabilityFence(this);
            if (rc != 0) {
                throw failed(rc);
            }
            return;
        }
        requireOpen();
        guard(() -> get(Block.of(origin, orgCount, orgType), targetRank, targetDisp, targetCount,
                targetType));
    }

    private void get(Block to, int target, int disp, int count, Datatype type) {
        requireMemory(to);
        to.requireRoom();
        if (reaches(target, disp, count, type)) {
            long at = locate(target, disp, count, type);
            long moving = fitting(Layout.bytesNeeded(count, type), to.count(), to.type());
            Payload room = to.room();
            TargetBlocks.visit(at, type, moving,
                    (packed, n, where) -> heaps.get(room, packed, n, target, where));
            room.arrived(moving);
        }
    }

    // ---- accumulates ----

    /**
     * Combines elements of a member with those of this process: each becomes what the operation
     * makes of itself and of the one that is passed.
     *
     * @param origin the operands
     * @param orgCount the number of elements
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type, of the same primitive type
     * @param op a predefined operation, or {@code MPI.REPLACE}
     */
    public void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank,
            int targetDisp, int targetCount, Datatype targetType, Op op) {
        if (orgCount == 1 && targetCount == 1 && orgType == targetType
                && combineWord(origin, null, false, targetType, targetRank, targetDisp, op)) {
            return;
        }
        requireOpen();
        guard(() -> accumulate(Block.of(origin, orgCount, orgType), null, targetRank, targetDisp,
                targetCount, targetType, op));
    }

    /**
     * Combines elements as {@link #accumulate}, and returns what they were before.
     *
     * @param origin the operands; not used with {@code MPI.NO_OP}
     * @param orgCount the number of elements
     * @param orgType their type
     * @param resultAddr the room for the previous elements
     * @param resultCount the elements that there is room for
     * @param resultType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type, of the same primitive type
     * @param op a predefined operation, {@code MPI.REPLACE}, or {@code MPI.NO_OP}: only reads
     */
    public void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr,
            int resultCount, Datatype resultType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType, Op op) {
        requireOpen();
        guard(() -> {
            Block result = Block.of(resultAddr, resultCount, resultType);
            requireMemory(result);
            result.requireRoom();
            accumulate(Block.of(origin, orgCount, orgType), result, targetRank, targetDisp,
                    targetCount, targetType, op);
        });
    }

    private void accumulate(Block from, Block result, int target, int disp, int count,
            Datatype type, Op op) {
        boolean reads = op == Ops.NO_OP;
        if (!reads) {
            requireMemory(from);
            from.requireSent();
        }
        WinOps.check(op, reads ? null : from.type(), Datatype.usable(type), result != null);
        if (reaches(target, disp, count, type)) {
            long at = locate(target, disp, count, type);
            long moving = reads ? Layout.bytesNeeded(count, type)
                    : fitting(Layout.bytesNeeded(from.count(), from.type()), count, type);
            if (result != null) {
                fitting(moving, result.count(), result.type());
            }
            new Accumulation(heaps, op.operator, reads ? null : from, result, target, at, count,
                    type).run(moving);
        }
    }

    /** Combines one word by native code, if it is one; returns whether it has done so. */
    private boolean combineWord(Buffer origin, Buffer result, boolean fetches, Datatype type,
            int target, int disp, Op op) {
        long at = quickly(1, type, target, disp, 1, type);
        int reduction = at < 0 ? WinOps.NONE : WinOps.ofWord(op, type, at);
        if (reduction < 0 || !isWord(origin, type)
                || fetches && (!isWord(result, type) || result.isReadOnly())) {
            return false;
        }
        epochs.used = true;
        int size = (int) type.bytes;
        try {
            long before = heaps.combine(target, at, size, reduction, Words.load(origin, size));
            if (fetches) {
                Words.store(result, size, before);
            }
        } catch (HayateException failure) {
            throw fails(Failures.of(failure));
        }
        return true;
    }

    private static boolean isWord(Buffer buffer, Datatype type) {
        return Payload.direct(buffer) >= type.bytes && Words.isFirst(buffer, type.bytes);
    }

    /**
     * Combines one element of a member, and returns what it was before.
     *
     * @param origin the operand; not used with {@code MPI.NO_OP}
     * @param resultAddr the room for the previous element
     * @param dataType the type of the element
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where it is
     * @param op a predefined operation, {@code MPI.REPLACE}, or {@code MPI.NO_OP}: only reads
     */
    public void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank,
            int targetDisp, Op op) {
        if (combineWord(origin, resultAddr, true, dataType, targetRank, targetDisp, op)) {
            return;
        }
        getAccumulate(origin, 1, dataType, resultAddr, 1, dataType, targetRank, targetDisp, 1,
                dataType, op);
    }

    /**
     * Replaces an integer of a member if it has a value, and returns what it was before.
     *
     * @param origin the new value
     * @param compareAddr the value that it must have
     * @param resultAddr the room for the previous value
     * @param targetType {@code MPI.BYTE}, {@code CHAR}, {@code SHORT}, {@code INT}, {@code LONG}
     *     or {@code BOOLEAN}
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where it is
     */
    public void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr,
            Datatype targetType, int targetRank, int targetDisp) {
        requireOpen();
        guard(() -> {
            requireInteger(targetType);
            Block desired = Block.of(origin, 1, targetType);
            Block expected = Block.of(compareAddr, 1, targetType);
            Block result = Block.of(resultAddr, 1, targetType);
            desired.requireSent();
            expected.requireSent();
            result.requireRoom();
            if (reaches(targetRank, targetDisp, 1, targetType)) {
                swap(desired, expected, result, targetRank,
                        locate(targetRank, targetDisp, 1, targetType));
            }
        });
    }

    private static void requireInteger(Datatype type) {
        Datatype.usable(type);
        boolean integer = switch (type.kind) {
            case BYTE, CHAR, SHORT, INT, LONG, BOOLEAN -> type.plain
                    && type.bytes == type.kind.bytes;
            default -> false;
        };
        if (!integer) {
            throw new MPIException(ErrorClass.TYPE, "the datatype " + type + " cannot be compared"
                    + " and swapped: expected one integer, such as MPI.LONG");
        }
    }

    private void swap(Block desired, Block expected, Block result, int target, long at) {
        int size = desired.type().kind.bytes;
        if ((at & size - 1) == 0) {
            long before = heaps.compareAndSwap(target, at, size, integer(desired),
                    integer(expected));
            store(before, result);
            return;
        }
        heaps.exclusively(target, () -> {
            Payload old = Payload.ofRoom(size);
            heaps.get(old, 0, size, target, at);
            Block before = Block.of(old.memory, 1, desired.type());
            if (integer(before) == integer(expected)) {
                heaps.put(desired.sent(), 0, size, target, at);
            }
            store(integer(before), result);
        });
    }

    /** Returns the bytes of an integer as a number, with zeros above. */
    private static long integer(Block block) {
        if (Words.isFirst((Buffer) block.buf(), block.type().bytes)) {
            return Words.load((Buffer) block.buf(), block.type().bytes);
        }
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        Packing.pack(block.buf(), block.offset(), block.count(), block.type(), bytes);
        return bytes.getLong(0);
    }

    private static void store(long number, Block result) {
        if (Words.isFirst((Buffer) result.buf(), result.type().bytes)) {
            Words.store((Buffer) result.buf(), result.type().bytes, number);
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        Packing.unpack(bytes.putLong(0, number), result.buf(), result.offset(), 1, result.type());
    }

    // ---- with requests ----

    /**
     * Writes elements as {@link #put}. The request is complete: the data can be used again.
     *
     * @param origin the data
     * @param orgCount the number of elements
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element goes
     * @param targetCount the number of elements there
     * @param targetType their type
     * @return the request
     */
    public final Request rPut(Buffer origin, int orgCount, Datatype orgType, int targetRank,
            int targetDisp, int targetCount, Datatype targetType) {
        put(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        return Request.complete(engine);
    }

    /**
     * Reads elements as {@link #get}. The request is complete: the data are there.
     *
     * @param origin the room for the data
     * @param orgCount the elements that there is room for
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type
     * @return the request
     */
    public final Request rGet(Buffer origin, int orgCount, Datatype orgType, int targetRank,
            int targetDisp, int targetCount, Datatype targetType) {
        get(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        return Request.complete(engine);
    }

    /**
     * Combines elements as {@link #accumulate}. The request is complete.
     *
     * @param origin the operands
     * @param orgCount the number of elements
     * @param orgType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type
     * @param op a predefined operation, or {@code MPI.REPLACE}
     * @return the request
     */
    public Request rAccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank,
            int targetDisp, int targetCount, Datatype targetType, Op op) {
        accumulate(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
        return Request.complete(engine);
    }

    /**
     * Combines elements as {@link #getAccumulate}. The request is complete: the previous elements
     * are there.
     *
     * @param origin the operands
     * @param orgCount the number of elements
     * @param orgType their type
     * @param resultAddr the room for the previous elements
     * @param resultCount the elements that there is room for
     * @param resultType their type
     * @param targetRank the member, or {@code MPI.PROC_NULL}
     * @param targetDisp where the first element is
     * @param targetCount the number of elements there
     * @param targetType their type
     * @param op a predefined operation, {@code MPI.REPLACE} or {@code MPI.NO_OP}
     * @return the request
     */
    public Request rGetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr,
            int resultCount, Datatype resultType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType, Op op) {
        getAccumulate(origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank,
                targetDisp, targetCount, targetType, op);
        return Request.complete(engine);
    }
}
