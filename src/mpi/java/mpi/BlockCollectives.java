// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.HayateException;
import java.lang.ref.Reference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Collectives that move data. Blocking ones of intracommunicators are Hayate's collectives, on
 * packed copies if the datatype is not plain: which way a call takes must not depend on what ranks
 * may do differently. All others, and those of objects, are exchanges of messages. Methods that do
 * not wait return a request, others null.
 */
class BlockCollectives extends MpiJavaMessages {
    BlockCollectives() {
    }

    // ---- common to all ----

    final Request collective(Supplier<Request> call) {
        requireOpen();
        try {
            return call.get();
        } catch (HayateException why) {
            throw fails(why);
        } catch (MPIException why) {
            throw fails(why);
        } finally {
            Reference.reachabilityFence(call); // its blocks hold the buffers, spans may not
        }
    }

    final Exchange exchange() {
        return new Exchange((Comm) this);
    }

    final Request begun(Exchange all, boolean waits) {
        Request request = all.start();
        if (!waits) {
            return request;
        }
        request.waitFor();
        return null;
    }

    /** Does something for each rank to which messages are sent. */
    final void forAll(IntConsumer action) {
        for (int i = 0; i < partners.size(); i++) {
            action.accept(i);
        }
    }

    private void forOthers(IntConsumer action) {
        forAll(i -> {
            if (isInterComm() || i != rank) {
                action.accept(i);
            }
        });
    }

    /** Says whether this rank has the data for all, or gets them. */
    final boolean isRoot(int root) {
        return root == (isInterComm() ? Constants.ROOT : rank);
    }

    /** Says whether this rank has a block of its own: of two groups only one has some. */
    final boolean hasBlock(int root) {
        return root >= 0;
    }

    final void checkRoot(int root) {
        boolean isSpecial = isInterComm()
                && (root == Constants.ROOT || root == Constants.PROC_NULL);
        if (!isSpecial && (root < 0 || root >= partners.size())) {
            throw new MPIException(ErrorClass.ROOT, "the root is rank " + root + ": expected 0 to "
                    + (partners.size() - 1) + (isInterComm() ? ", MPI.ROOT or MPI.PROC_NULL" : ""));
        }
    }

    final Vector required(Vector blocks) {
        return blocks.requireFor(partners.size());
    }

    private boolean isDirect(boolean waits, Block block) {
        return waits && !isInterComm() && !block.isObjects();
    }

    private boolean isDirect(boolean waits, Vector blocks) {
        return waits && !isInterComm() && !blocks.isObjects();
    }

    // ---- of one root ----

    final Request barrier(boolean waits) {
        return collective(() -> {
            if (waits && !isInterComm()) {
                engine.mergeWindows();
                collectives.barrier();
                engine.mergeWindows();
                return null;
            }
            Block nothing = Block.of(null, 0, Types.BYTE);
            return exchangeAll(i -> nothing, i -> nothing, waits);
        });
    }

    final Request bcast(Block data, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            boolean sends = isRoot(root);
            if (isDirect(waits, data)) {
                Payload memory = sends ? data.sent() : data.room();
                collectives.bcast(memory.span(), root);
                if (!sends) {
                    memory.arrived(memory.bytes);
                }
                return null;
            }
            Exchange all = exchange();
            if (sends) {
                data.requireSent(); // also if there is nobody to send to
                forOthers(i -> all.send(i, data));
            } else if (hasBlock(root)) {
                all.receive(root, data);
            }
            return begun(all, waits);
        });
    }

    /** own: null on the root: it is at its place. all: of the root. */
    final Request gather(Block own, Block all, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            if (!isDirect(waits, isRoot(root) ? all : own)) {
                return gatherByMessages(own, all::part, root, waits);
            }
            if (!isRoot(root)) {
                collectives.gather(own.sent().span(), null, root);
                return null;
            }
            Payload in = own == null ? all.part(rank).sent() : own.sent();
            Payload out = all.times(partners.size()).room();
            collectives.gather(in.span(), out.span(), root);
            out.arrived(out.bytes);
            return null;
        });
    }

    final Request gatherv(Block own, Vector all, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            boolean direct = isRoot(root) ? isDirect(waits, required(all)) : isDirect(waits, own);
            if (!direct) {
                return gatherByMessages(own, all, root, waits);
            }
            if (!isRoot(root)) {
                collectives.gatherv(own.sent().span(), null, null, null, root);
                return null;
            }
            Payload in = own == null ? all.of(rank).sent() : own.sent();
            VectorSpan out = VectorSpan.ofReceive(all, partners.size());
            collectives.gatherv(in.span(), out.span, out.sizes, out.offsets, root);
            out.store();
            return null;
        });
    }

    private Request gatherByMessages(Block own, Blocks all, int root, boolean waits) {
        Exchange exchange = exchange();
        if (isRoot(root)) {
            forAll(i -> {
                if (isInterComm() || i != rank || own != null) {
                    exchange.receive(i, all.of(i));
                }
            });
        }
        if (hasBlock(root) && own != null) {
            exchange.send(root, own);
        }
        return begun(exchange, waits);
    }

    /** own: null on the root: it stays at its place. all: of the root. */
    final Request scatter(Block all, Block own, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            if (!isDirect(waits, isRoot(root) ? all : own)) {
                return scatterByMessages(all::part, own, root, waits);
            }
            Payload out = own == null ? all.part(rank).room() : own.room();
            Payload in = isRoot(root) ? all.times(partners.size()).sent() : null;
            collectives.scatter(in == null ? null : in.span(), out.span(), root);
            out.arrived(out.bytes);
            return null;
        });
    }

    final Request scatterv(Vector all, Block own, int root, boolean waits) {
        return collective(() -> {
            checkRoot(root);
            boolean direct = isRoot(root) ? isDirect(waits, required(all)) : isDirect(waits, own);
            if (!direct) {
                return scatterByMessages(all, own, root, waits);
            }
            Payload out = own == null ? all.of(rank).room() : own.room();
            if (isRoot(root)) {
                VectorSpan in = VectorSpan.ofSend(all, partners.size());
                collectives.scatterv(in.span, in.sizes, in.offsets, out.span(), root);
            } else {
                collectives.scatterv(null, null, null, out.span(), root);
            }
            out.arrived(out.bytes);
            return null;
        });
    }

    private Request scatterByMessages(Blocks all, Block own, int root, boolean waits) {
        Exchange exchange = exchange();
        if (hasBlock(root) && own != null) {
            exchange.receive(root, own);
        }
        if (isRoot(root)) {
            forAll(i -> {
                if (isInterComm() || i != rank || own != null) {
                    exchange.send(i, all.of(i));
                }
            });
        }
        return begun(exchange, waits);
    }

    // ---- of all ----

    /** own: null: it is at its place. */
    final Request allGather(Block own, Block all, boolean waits) {
        return collective(() -> {
            Block mine = own == null ? all.part(rank) : own;
            if (!isDirect(waits, all)) {
                return exchangeAll(i -> mine, all::part, waits);
            }
            Payload in = mine.sent();
            Payload out = all.times(partners.size()).room();
            collectives.allgather(in.span(), out.span());
            out.arrived(out.bytes);
            return null;
        });
    }

    final Request allGatherv(Block own, Vector all, boolean waits) {
        return collective(() -> {
            Block mine = own == null ? required(all).of(rank) : own;
            if (!isDirect(waits, required(all))) {
                return exchangeAll(i -> mine, all, waits);
            }
            Payload in = mine.sent();
            VectorSpan out = VectorSpan.ofGathered(all, partners.size());
            collectives.allgatherv(in.span(), out.span, out.sizes, out.offsets);
            out.store();
            return null;
        });
    }

    final Request allToAll(Block in, Block out, boolean waits) {
        return collective(() -> {
            if (!isDirect(waits, out)) {
                return exchangeAll(in::part, out::part, waits);
            }
            Payload sent = in.times(partners.size()).sent();
            Payload room = out.times(partners.size()).room();
            collectives.alltoall(sent.span(), room.span());
            room.arrived(room.bytes);
            return null;
        });
    }

    final Request allToAllv(Vector in, Vector out, boolean waits) {
        return collective(() -> {
            if (!isDirect(waits, required(out))) {
                return exchangeAll(required(in), out, waits);
            }
            VectorSpan sent = VectorSpan.ofSend(in, partners.size());
            VectorSpan room = VectorSpan.ofReceive(out, partners.size());
            collectives.alltoallv(sent.span, sent.sizes, sent.offsets, room.span, room.sizes,
                    room.offsets);
            room.store();
            return null;
        });
    }

    final Request allToAllw(Object sendbuf, int[] sendcounts, int[] sdispls, Datatype[] sendtypes,
            Object recvbuf, int[] recvcounts, int[] rdispls, Datatype[] recvtypes,
            boolean waits) {
        return collective(() -> {
            int ranks = partners.size();
            return exchangeAll(Blocks.of(sendbuf, sendcounts, sdispls, sendtypes, ranks),
                    Blocks.of(recvbuf, recvcounts, rdispls, recvtypes, ranks), waits);
        });
    }

    /** An exchange with all; a block that stays at its place is sent and received there. */
    private Request exchangeAll(Blocks in, Blocks out, boolean waits) {
        Exchange exchange = exchange();
        forAll(i -> {
            Block from = in.of(i);
            Block to = out.of(i);
            if (isInterComm() || i != rank || !from.isAt(to)) {
                exchange.receive(i, to);
                exchange.send(i, from);
            }
        });
        return begun(exchange, waits);
    }

    // ---- of neighbours ----

    /** Returns the type of the topology; communicators with one override it and the next two. */
    int topology() {
        return Constants.UNDEFINED;
    }

    /** Returns the ranks that this one receives from, in their order. */
    int[] sources() {
        throw new MPIException(ErrorClass.TOPOLOGY, "the communicator has no topology: expected"
                + " one that createCart, createGraph or createDistGraph made");
    }

    /** Returns the ranks that this one sends to, in their order. */
    int[] destinations() {
        return sources();
    }

    /**
     * An exchange with the neighbours. On a grid what one rank sends up another one receives from
     * below, also if both are the same rank: upper blocks are sent first.
     */
    final Request exchangeWithNeighbors(Blocks in, Blocks out, boolean waits) {
        int[] from = sources();
        int[] to = destinations();
        Exchange exchange = exchange();
        for (int i = 0; i < from.length; i++) {
            exchange.receive(from[i], out.of(i));
        }
        for (int i = 0; i < to.length; i++) {
            int next = topology() == Constants.CART ? i ^ 1 : i;
            exchange.send(to[next], in.of(next));
        }
        return begun(exchange, waits);
    }
}
