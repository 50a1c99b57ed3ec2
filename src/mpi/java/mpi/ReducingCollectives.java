// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collectives that combine data. Blocking ones of intracommunicators with an operation that Hayate
 * has are Hayate's collectives; in all others the ranks that need a result get the data of all
 * whose data are in it, and combine them in rank order, so all compute the same result.
 */
class ReducingCollectives extends BlockCollectives {
    ReducingCollectives() {
    }

    /** Returns the operation of Hayate's collectives; null: the call takes messages. */
    private Reduction direct(Op op, Block data, boolean waits) {
        Op.check(op, data.type());
        return waits && !isInterComm() ? op.reduction(data.type()) : null;
    }

    private static Span span(Payload data, Reduction reduction) {
        return data.span().as(reduction.element());
    }

    /** Returns the memory of a result, which already contains the data of this rank. */
    private static Payload filled(Block from, Block to) {
        Payload room = to.room();
        Block data = from == null ? to : from;
        data.requireSent();
        if (room.memory instanceof ByteBuffer bytes && room.memory != to.buf()) {
            Packing.pack(data.buf(), data.offset(), data.count(), data.type(),
                    bytes.duplicate().clear().limit((int) room.bytes));
        } else if (from != null) {
            from.copyTo(to);
        }
        return room;
    }

    /** data: null on the root: they are in the room for the result. */
    final Request reduce(Block data, Block result, Op op, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            if (!isRoot(root) && !hasBlock(root)) {
                return begun(exchange(), waits);
            }
            Block mine = data == null ? result : data;
            Reduction reduction = direct(op, isRoot(root) ? result : mine, waits);
            if (reduction == null) {
                return reduceByMessages(mine, result, op, root, waits);
            }
            Payload memory = isRoot(root) ? filled(data, result)
                    : mine.buf() instanceof Buffer b && b.isReadOnly() ? mine.copied()
                    : mine.sent();
            collectives.reduce(span(memory, reduction), reduction, root);
            if (isRoot(root)) {
                memory.arrived(memory.bytes);
            }
            return null;
        });
    }

    private Request reduceByMessages(Block data, Block result, Op op, int root, boolean waits) {
        Exchange exchange = exchange();
        if (isRoot(root)) {
            result.requireRoom();
            Operands operands = new Operands(op, result, partners.size());
            forAll(i -> exchange.receive(i, operands.room(i)));
            exchange.then(() -> operands.store(result));
        }
        if (hasBlock(root)) {
            exchange.send(root, data);
        }
        return begun(exchange, waits);
    }

    /** data: null: they are in the room for the result. */
    final Request allReduce(Block data, Block result, Op op, boolean waits) {
        return collective(() -> {
            Reduction reduction = direct(op, result, waits);
            if (reduction == null) {
                return combine(data == null ? result : data, result, op, 0, partners.size(), 0,
                        partners.size(), waits);
            }
            Payload memory = filled(data, result);
            collectives.allreduce(span(memory, reduction), reduction);
            memory.arrived(memory.bytes);
            return null;
        });
    }

    /** Combines the data of ranks from..to-1; this rank sends its own to ranks first..last-1. */
    private Request combine(Block data, Block result, Op op, int from, int to, int first,
            int last, boolean waits) {
        result.requireRoom();
        Exchange exchange = exchange();
        if (to > from) {
            Operands operands = new Operands(op, result, to - from);
            for (int i = from; i < to; i++) {
                exchange.receive(i, operands.room(i - from));
            }
            exchange.then(() -> operands.store(result));
        }
        for (int i = first; i < last; i++) {
            exchange.send(i, data);
        }
        return begun(exchange, waits);
    }

    /** data: null: they begin where the result goes. result: its count does not matter. */
    final Request reduceScatter(Block data, Block result, int[] counts, Op op, boolean waits) {
        return collective(() -> {
            Vector.require(counts, "count", members.size());
            long[] begins = new long[members.size() + 1];
            for (int i = 0; i < members.size(); i++) {
                begins[i + 1] = begins[i] + counts[i];
            }
            Block in = (data == null ? result : data).at(0,
                    Math.toIntExact(begins[members.size()]));
            Block out = result.at(0, counts[rank]);
            Reduction reduction = direct(op, out, waits);
            if (reduction == null) {
                return reduceScatterByMessages(in, out, begins, op, waits);
            }
            long each = result.type().bytes / reduction.elementBytes();
            Payload sent = data == null ? in.copied() : in.sent();
            Payload room = out.room();
            collectives.reduceScatterv(span(sent, reduction), span(room, reduction),
                    Arrays.stream(counts, 0, members.size()).mapToLong(n -> n * each).toArray(),
                    reduction);
            room.arrived(room.bytes);
            return null;
        });
    }

    /** Ranks of another group do not know the blocks of this one: they send all data. */
    private Request reduceScatterByMessages(Block in, Block out, long[] begins, Op op,
            boolean waits) {
        out.requireRoom();
        boolean whole = isInterComm();
        Exchange exchange = exchange();
        Operands operands = new Operands(op, whole ? in.count() : out.count(), out,
                partners.size());
        forAll(i -> {
            exchange.receive(i, operands.room(i));
            exchange.send(i, whole ? in
                    : in.at(begins[i], (int) (begins[i + 1] - begins[i])));
        });
        exchange.then(() -> operands.store(whole ? begins[rank] : 0, out));
        return begun(exchange, waits);
    }

    /** data: null: they are in the room for the result. */
    final Request scan(Block data, Block result, Op op, boolean waits) {
        return collective(() -> {
            Reduction reduction = direct(op, result, waits);
            if (reduction == null) {
                return combine(data == null ? result : data, result, op, 0, rank + 1, rank,
                        partners.size(), waits);
            }
            Payload in = data == null ? result.copied() : data.sent();
            Payload out = result.room();
            collectives.scan(span(in, reduction), span(out, reduction), reduction);
            out.arrived(out.bytes);
            return null;
        });
    }

    /** As scan, without the data of this rank; on rank 0 the result does not change. */
    final Request exScan(Block data, Block result, Op op, boolean waits) {
        return collective(() -> {
            Reduction reduction = direct(op, result, waits);
            if (reduction == null) {
                return combine(data == null ? result : data, result, op, 0, rank, rank + 1,
                        partners.size(), waits);
            }
            Payload in = data == null ? result.copied() : data.sent();
            Payload out = result.room();
            collectives.exscan(span(in, reduction), span(out, reduction), reduction);
            if (rank > 0) {
                out.arrived(out.bytes);
            }
            return null;
        });
    }
}
