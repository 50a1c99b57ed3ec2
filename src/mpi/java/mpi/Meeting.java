// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import io.hayate.internal.fmpl.Inside;
import io.hayate.internal.fmpl.Offer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Creates a communicator of ranks of the job that have none in common. */
final class Meeting {
    private static final byte ACCEPTED = 1;

    /** How they tell each other something. */
    interface Exchange {
        /** Returns what all members say, in the order of their numbers, of equal lengths. */
        byte[] all(byte[] mine);
    }

    private final Members members;
    private final int self;
    private final Exchange exchange;
    private final Offer offer;

    private Meeting(Engine engine, Members members, Exchange exchange) {
        this.members = members;
        this.exchange = exchange;
        self = members.rankOf(engine.job.rank());
        offer = Inside.ofFmpl(engine.fmpl).communicators().offer(engine.fmpl, members.size());
    }

    /** Collective over the members, of which this rank is one. */
    static Communicator of(Engine engine, Members members, Exchange exchange) {
        return new Meeting(engine, members, exchange).create();
    }

    private Communicator create() {
        RuntimeException failure;
        boolean accepted = true;
        try {
            byte[] told = exchange.all(announcement());
            failure = accept(told);
            byte[] verdict = {failure == null ? ACCEPTED : 0};
            for (byte each : exchange.all(verdict)) {
                accepted &= each == ACCEPTED;
            }
        } catch (RuntimeException | Error notKnown) {
            offer.withdraw(false);
            throw notKnown;
        }
        if (accepted) {
            return (Communicator) offer.conclude();
        }
        offer.withdraw(true);
        throw failure != null ? failure : new MPIException(ErrorClass.OTHER, "another member could"
                + " not create the communicator: see the error of that rank");
    }

    /** What the members must agree on, and the record. */
    private byte[] announcement() {
        byte[] record = offer.record();
        return ByteBuffer.allocate(Integer.BYTES + record.length)
                .putInt(Arrays.hashCode(members.worlds())).put(record).array();
    }

    private RuntimeException accept(byte[] told) {
        ByteBuffer all = ByteBuffer.wrap(told);
        int length = offer.record().length;
        byte[] records = new byte[members.size() * length];
        int[] worlds = members.worlds();
        if (told.length != worlds.length * (Integer.BYTES + length)) {
            return new MPIException(ErrorClass.GROUP, "another rank wants a communicator of "
                    + told.length / (Integer.BYTES + length) + " ranks, this one of "
                    + worlds.length + ": expected the same group on all its members");
        }
        for (int i = 0; i < worlds.length; i++) {
            if (all.getInt() != Arrays.hashCode(worlds)) {
                return new MPIException(ErrorClass.GROUP, "rank " + worlds[i] + " of the job wants"
                        + " a communicator of other ranks than this one: expected the same group on"
                        + " all its members");
            }
            all.get(records, i * length, length);
        }
        try {
            offer.accept(self, worlds, records);
            return null;
        } catch (HayateException refused) {
            return refused;
        }
    }

    /** By messages through the member of the lowest rank, whatever the order of the members. */
    static Exchange byMessages(Engine engine, Members members, int tag) {
        int root = Arrays.stream(members.worlds()).min().orElseThrow();
        return mine -> {
            if (root == engine.job.rank()) {
                return collect(engine.setup, members, members.rankOf(root), tag, mine);
            }
            engine.setup.send(mine, root, tag);
            return engine.setup.receive(root, tag);
        };
    }

    private static byte[] collect(SetupMessages messages, Members members, int self, int tag,
            byte[] mine) {
        byte[] all = new byte[members.size() * mine.length];
        for (int i = 0; i < members.size(); i++) {
            byte[] one = i == self ? mine : messages.receive(members.world(i), tag);
            System.arraycopy(one, 0, all, i * mine.length, mine.length);
        }
        for (int i = 0; i < members.size(); i++) {
            if (i != self) {
                messages.send(all, members.world(i), tag);
            }
        }
        return all;
    }
}
