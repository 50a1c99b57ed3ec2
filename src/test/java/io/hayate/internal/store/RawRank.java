// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A rank, or a stranger, that does at a store what a test wants, frame by frame. */
final class RawRank implements AutoCloseable {
    final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;
    private Seal up;
    private Seal down;

    RawRank(InetSocketAddress store) throws IOException {
        socket.connect(store, 30_000);
        socket.setSoTimeout(30_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    OutputStream out() {
        return out;
    }

    RawRank greet(byte[] secret) throws IOException {
        Greeting mine = Greeting.create(Greeting.RANK);
        write(mine.encode().array());
        Greeting store = Greeting.decode(read());
        byte[] salt = ByteBuffer.allocate(32).put(mine.nonce()).put(store.nonce()).array();
        up = Seal.of(secret, salt, "hayate store: of the rank");
        down = Seal.of(secret, salt, "hayate store: of the store");
        return this;
    }

    RawRank hello(String version, String job, int rank, int size) throws IOException {
        send(new Hello(version, job, rank, size, "host", 1).encode());
        return this;
    }

    byte[] giving(int round, byte[] record) {
        return Frame.GIVE.with(6 + record.length, frame -> {
            frame.putInt(round);
            Frame.putBytes(frame, record);
        });
    }

    byte[] sealed(byte[] plain) {
        return up.seal(plain);
    }

    void send(byte[] plain) throws IOException {
        write(up.seal(plain));
    }

    void write(byte[] frame) throws IOException {
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }

    byte[] read() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    byte[] receive() throws IOException {
        return down.open(read());
    }

    /** Receives frames until one of the kind has come. */
    byte[] receive(Frame kind) throws IOException {
        byte[] frame = receive();
        while (Frame.kind(frame) != kind) {
            frame = receive();
        }
        return frame;
    }

    /** Returns the text of the next frame of the kind FAIL. */
    String failure() throws IOException {
        return Frame.read(receive(Frame.FAIL), Failure::decode).why();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
