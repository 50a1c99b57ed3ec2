// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The first frame of each side, which is not encrypted: who speaks, in which format, and random
 * bytes, of which and of the secret both sides make their keys. The store answers with a second
 * one, without random bytes, if it cannot open the first sealed frame.
 *
 * @param format the format of the frames
 * @param kind one of the constants
 * @param nonce random bytes; of no meaning in a refusal
 */
record Greeting(int format, byte kind, byte[] nonce) {
    static final int FORMAT = 1;
    static final byte RANK = 'R';
    static final byte STORE = 'S';
    static final byte REFUSAL = 'X';

    private static final int MAGIC = 0x48597374; // HYst
    private static final int NONCE = 16;
    private static final int BYTES = Integer.BYTES + Short.BYTES + 1 + NONCE;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Creates a greeting of this format with new random bytes. */
    static Greeting create(byte kind) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        return new Greeting(FORMAT, kind, nonce);
    }

    ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES).putInt(MAGIC).putShort((short) format).put(kind)
                .put(nonce).flip();
    }

    /** Reads a frame; null: it is no greeting. Other formats may be longer. */
    static Greeting decode(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        if (frame.length < BYTES || in.getInt() != MAGIC) {
            return null;
        }
        byte[] nonce = new byte[NONCE];
        int format = Short.toUnsignedInt(in.getShort());
        byte kind = in.get();
        in.get(nonce);
        return new Greeting(format, kind, nonce);
    }

    /** Makes the keys of a connection from the greetings of both of its sides. */
    static void secure(Link link, Greeting rank, Greeting store, byte[] secret, boolean atStore) {
        byte[] salt = ByteBuffer.allocate(2 * NONCE).put(rank.nonce).put(store.nonce).array();
        Seal up = Seal.of(secret, salt, "hayate store: of the rank");
        Seal down = Seal.of(secret, salt, "hayate store: of the store");
        link.secure(atStore ? up : down, atStore ? down : up);
    }
}
