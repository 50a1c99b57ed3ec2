// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * A collective as one exchange of messages, which all begin at once. They go through the hidden
 * communicator, so they never meet the program's; their tag is the number of the exchange, so that
 * several can be under way. All members start theirs in the same order.
 */
final class Exchange implements Request.Pending {
    private static final Runnable NOTHING = () -> { };

    private final Comm comm;
    private final List<Part> sends = new ArrayList<>();
    private final List<Part> receives = new ArrayList<>();
    private final List<Request> messages = new ArrayList<>();
    private Runnable last = NOTHING;
    private int complete;

    private record Part(int peer, Block block) { }

    Exchange(Comm comm) {
        this.comm = comm;
    }

    void send(int peer, Block block) {
        block.requireSent();
        if (peer != Constants.PROC_NULL) {
            sends.add(new Part(peer, block));
        }
    }

    void receive(int peer, Block block) {
        block.requireRoom();
        if (peer != Constants.PROC_NULL) {
            receives.add(new Part(peer, block));
        }
    }

    /** Does something when all messages have come. */
    void then(Runnable action) {
        last = action;
    }

    Request start() {
        int tag = comm.nextExchange();
        for (Part one : receives) {
            Block to = one.block;
            messages.add(comm.hidden.irecv(to.buf(), to.offset(), to.count(), to.type(), one.peer,
                    tag));
        }
        for (Part one : sends) {
            Block from = one.block;
            messages.add(comm.hidden.isend(from.buf(), from.offset(), from.count(), from.type(),
                    one.peer, tag, PointToPoint.STANDARD));
        }
        return new Request(comm.engine, this);
    }

    @Override
    public Status complete(boolean waits) {
        try {
            while (complete < messages.size()) {
                if (messages.get(complete).finish(waits) == null) {
                    return null;
                }
                complete++;
            }
            last.run();
            last = NOTHING;
            return new Status();
        } catch (MPIException why) {
            abandon();
            throw comm.fails(why);
        }
    }

    /** Leaves the other messages, for which nobody waits any more. */
    private void abandon() {
        for (Request message : messages) {
            message.free();
        }
        messages.clear();
    }
}
