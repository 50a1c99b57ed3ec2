// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.OmplBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An accumulate to one target. Native code combines what it knows, element by element; the rest is
 * combined here. All of it happens under the lock of the target's accumulates.
 *
 * @param op what it does; not null
 * @param from the operands; null for NO_OP
 * @param before where the previous elements go; null: nowhere
 * @param at where the first element is in the heap of the target
 */
record Accumulation(Heaps heaps, Operator op, Block from, Block before, int rank, long at,
        int count, Datatype type) {

    /** Does it with the first {@code bytes} of the target's data. */
    void run(long bytes) {
        int reduction = WinOps.reduction(op, type.kind);
        if (reduction != WinOps.NONE && isAligned(reduction)) {
            natively(bytes, reduction);
        } else {
            exclusively(bytes);
        }
    }

    private boolean isAligned(int reduction) {
        Kind kind = type.kind;
        int align = reduction == OmplBinding.NO_REDUCTION ? 1
                : (kind.first == null ? kind : kind.first).bytes;
        return (at & align - 1) == 0 && type.map.granularity(count) >= align;
    }

    private void natively(long bytes, int reduction) {
        boolean alone = from == null || before == null || from.buf() != before.buf();
        Payload operands = from == null ? null : alone ? from.sent() : from.copied();
        Payload old = before == null ? null : before.room();
        TargetBlocks.visit(at, type, bytes, (packed, n, where) -> heaps.accumulate(operands, old,
                packed, n, rank, where, reduction));
        if (old != null) {
            old.arrived(bytes);
        }
    }

    private void exclusively(long bytes) {
        Payload operands = from == null ? null : from.copied();
        Payload elements = Payload.ofRoom(bytes);
        ByteBuffer memory = (ByteBuffer) elements.memory;
        heaps.exclusively(rank, () -> {
            TargetBlocks.visit(at, type, bytes, (packed, n, where) -> heaps.get(elements, packed,
                    n, rank, where));
            if (before != null) {
                Packing.unpack(memory.duplicate(), before.buf(), before.offset(), before.count(),
                        before.type());
            }
            if (op == Operator.NO_OP) {
                return;
            }
            combine(((ByteBuffer) operands.memory).slice(0, (int) bytes), memory);
            TargetBlocks.visit(at, type, bytes, (packed, n, where) -> heaps.put(elements, packed,
                    n, rank, where));
        });
    }

    private void combine(ByteBuffer in, ByteBuffer inOut) {
        if (op == Operator.REPLACE) {
            inOut.put(0, in, 0, in.capacity());
        } else {
            Combining.combine(op, type.kind, in.order(ByteOrder.nativeOrder()), inOut);
        }
    }
}
