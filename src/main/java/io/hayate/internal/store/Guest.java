// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.IOException;

/** A connection to the store: of a stranger, or of a rank once its hello has come. */
final class Guest {
    final long since = System.nanoTime();
    Link link;
    Greeting greeting; // null: it has not come
    Hello hello; // null: a stranger
    boolean isForeign; // a rank of another job

    /** Sends something to a guest. */
    @FunctionalInterface
    interface Sending {
        /** Sends it, as far as there is room. */
        void send() throws IOException;
    }

    /** Answers the first frame. */
    void greet(byte[] frame, byte[] secret) throws IOException {
        greeting = Greeting.decode(frame);
        if (greeting == null || greeting.kind() != Greeting.RANK) {
            throw new BadFrameException("no greeting");
        }
        Greeting mine = Greeting.create(Greeting.STORE);
        link.send(mine.encode());
        Greeting.secure(link, greeting, mine, secret, true);
    }

    /** Enters the record of a frame; returns whether the round is complete. */
    boolean give(Roll roll, byte[] plain) throws BadFrameException {
        return Frame.read(plain, in -> {
            int round = in.getInt();
            return roll.give(hello.rank(), round, Frame.bytes(in, Frame.RECORD));
        });
    }
}
