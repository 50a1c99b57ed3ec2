// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.Comm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/**
 * Receives and sends that are cancelled. A receive that nothing matches is always cancelled; a send
 * is either cancelled, and then no receive finds it, or received.
 */
final class Cancels {
    /** What Open MPI, which cancels no send, sends at once. */
    private static final int EAGER = 1000;
    private static final int LONG = 100_000;

    private record Retraction(int from, int to, int bytes, boolean synchronous) {
    }

    private final Place place;
    private final int tag;
    private final List<Integer> receivers = new ArrayList<>();
    private final List<Retraction> retractions = new ArrayList<>();
    private final List<Request> posted = new ArrayList<>();
    private final List<ByteBuffer> memory = new ArrayList<>();

    /** tag: the first of three that no other message on this place has. */
    Cancels(Random random, Place place, int size, int tag) {
        this.place = place;
        this.tag = tag;
        while (Seeds.percent(random, 30)) {
            receivers.add(random.nextInt(size));
        }
        while (Seeds.percent(random, 25)) {
            int from = random.nextInt(size);
            int[] targets = place.targets(from);
            int bytes = random.nextInt(Seeds.percent(random, 30) ? LONG : EAGER);
            boolean synchronous = Seeds.percent(random, 30);
            int to = targets.length == 0 ? from : targets[random.nextInt(targets.length)];
            if (to != from) {
                retractions.add(new Retraction(from, to, bytes, synchronous));
            }
        }
    }

    int operations() {
        return receivers.size() + retractions.size();
    }

    boolean retracts() {
        return !retractions.isEmpty();
    }

    /** Posts receives that nothing matches. */
    void post(int rank) {
        posted.clear();
        memory.clear();
        for (int i = 0; i < receivers.size(); i++) {
            if (receivers.get(i) == rank && place.remote().length > 0) {
                ByteBuffer room = MPI.newByteBuffer(1 << i);
                memory.add(room);
                int source = i % 2 == 0 ? MPI.ANY_SOURCE : 0;
                posted.add(i % 3 < 2 ? place.comm.iRecv(room, 1 << i, MPI.BYTE, source, tag)
                        : place.comm.recvInit(room, 1 << i, MPI.BYTE, source, tag));
                if (i % 3 == 2) {
                    ((Prequest) posted.get(posted.size() - 1)).start();
                }
            }
        }
    }

    void cancel(Random random) {
        for (Request request : posted) {
            if (random.nextBoolean()) {
                Trouble.unless(!request.test(), "a receive without a message was complete");
            }
            request.cancel();
            Trouble.unless(request.waitStatus().isCancelled(),
                    "a receive without a message was not cancelled");
            if (request instanceof Prequest) {
                request.free();
            }
        }
    }

    /** Sends and retracts; one after the other, so that none waits for a rank that waits for it. */
    void retract(int rank, long seed) {
        for (int i = 0; i < retractions.size(); i++) {
            Retraction one = retractions.get(i);
            int bytes = RandomProgram.underOpenMpi() ? Math.min(one.bytes, EAGER) : one.bytes;
            byte[] data = Element.BYTE.content(Seeds.mix(seed, i), bytes);
            if (one.from == rank) {
                offer(one, data);
            } else if (one.to == rank) {
                take(one, data);
            }
        }
        for (Retraction one : retractions) {
            Trouble.unless(one.to != rank
                    || place.comm.iProbe(place.rankOf(one.from), tag + 1) == null,
                    "a cancelled message can be received from %d", one.from);
        }
    }

    private void offer(Retraction one, byte[] data) {
        ByteBuffer message = MPI.newByteBuffer(data.length);
        message.duplicate().put(data);
        Comm comm = place.comm;
        int dest = place.rankOf(one.to);
        Request request = one.synchronous && !RandomProgram.underOpenMpi()
                ? comm.isSend(message, data.length, MPI.BYTE, dest, tag + 1)
                : comm.iSend(message, data.length, MPI.BYTE, dest, tag + 1);
        request.cancel();
        boolean[] cancelled = {request.waitStatus().isCancelled()};
        comm.send(cancelled, 1, MPI.BOOLEAN, dest, tag + 2);
    }

    private void take(Retraction one, byte[] data) {
        boolean[] cancelled = new boolean[1];
        int source = place.rankOf(one.from);
        place.comm.recv(cancelled, 1, MPI.BOOLEAN, source, tag + 2);
        if (!cancelled[0]) {
            byte[] room = new byte[data.length];
            place.comm.recv(room, room.length, MPI.BYTE, source, tag + 1);
            Trouble.unless(Arrays.equals(room, data), "not the message that was not cancelled");
        }
    }
}
