// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/** Messages and collectives by the package mpi, as a program for Open MPI's Java binding has it. */
final class MpiLibrary implements NasLibrary {
    private record Memory(Buffer buffer, Datatype type, int count) implements Part {
        @Override
        public Part slice(int from, int some) {
            return new Memory(buffer instanceof DoubleBuffer doubles ? MPI.slice(doubles, from)
                    : MPI.slice((IntBuffer) buffer, from), type, some);
        }
    }

    private record Row(Comm comm) implements Members { }

    private final Intracomm world = MPI.COMM_WORLD;
    private final int size = world.getSize();
    private final boolean heap;
    private final double[] number = new double[1];
    private final int[] sentCounts = new int[size];
    private final int[] receivedCounts = new int[size];
    private Intracomm part;

    MpiLibrary(NasOptions options) throws UsageException {
        if (options.memory() == MemoryKind.ARRAY || options.persistent() || options.threads() > 0) {
            throw new UsageException("over MPI there are no --memory array, --persistent, "
                    + "--threads: started messages want direct buffers");
        }
        heap = options.memory() == MemoryKind.HEAP;
    }

    @Override
    public int rank() {
        return world.getRank();
    }

    @Override
    public int size() {
        return size;
    }

    /** That of the kind `heap` is made by MPI. */
    @Override
    public Doubles doubles(int count) {
        DoubleBuffer memory = heap ? MPI.newDoubleBuffer(count)
                : direct(count * Double.BYTES).asDoubleBuffer();
        return new Doubles(memory, new Memory(memory, MPI.DOUBLE, count));
    }

    @Override
    public Ints ints(int count) {
        IntBuffer memory = heap ? MPI.newIntBuffer(count)
                : direct(count * Integer.BYTES).asIntBuffer();
        return new Ints(memory, new Memory(memory, MPI.INT, count));
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public Transfer send(Part data, int rank, int tag) {
        return new Send(world, (Memory) data, rank, tag);
    }

    @Override
    public Transfer receive(Part room, int rank, int tag) {
        return new Receive(world, (Memory) room, rank, tag);
    }

    private static final class Send implements Transfer {
        private final Comm comm;
        private final Memory data;
        private final int rank;
        private final int tag;
        private Request request;

        Send(Comm comm, Memory data, int rank, int tag) {
            this.comm = comm;
            this.data = data;
            this.rank = rank;
            this.tag = tag;
        }

        @Override
        public void start() {
            request = comm.iSend(data.buffer, data.count, data.type, rank, tag);
        }

        @Override
        public void await() {
            if (request != null) {
                request.waitFor();
                request = null;
            }
        }

        @Override
        public void run() {
            comm.send(data.buffer, data.count, data.type, rank, tag);
        }
    }

    private static final class Receive implements Transfer {
        private final Comm comm;
        private final Memory room;
        private final int rank;
        private final int tag;
        private Request request;

        Receive(Comm comm, Memory room, int rank, int tag) {
            this.comm = comm;
            this.room = room;
            this.rank = rank;
            this.tag = tag;
        }

        @Override
        public void start() {
            request = comm.iRecv(room.buffer, room.count, room.type, rank, tag);
        }

        @Override
        public void await() {
            if (request != null) {
                request.waitFor();
                request = null;
            }
        }

        @Override
        public void run() {
            comm.recv(room.buffer, room.count, room.type, rank, tag);
        }
    }

    @Override
    public Members world() {
        return new Row(world);
    }

    @Override
    public Members split(int parts, int own) {
        part = world.split(own, rank());
        return new Row(part);
    }

    /** Takes nothing. */
    private record Call(Runnable call) implements Action {
        @Override
        public void run() {
            call.run();
        }

        @Override
        public void close() {
            // nothing was taken
        }
    }

    @Override
    public Action sum(Part data, Members members) {
        Comm comm = ((Row) members).comm;
        Memory memory = (Memory) data;
        return new Call(() -> comm.allReduce(memory.buffer, memory.count, memory.type, MPI.SUM));
    }

    @Override
    public Action allToAll(Part from, Part to, int tag) {
        Memory out = (Memory) from;
        Memory in = (Memory) to;
        int block = out.count / size;
        return new Call(() -> world.allToAll(out.buffer, block, out.type, in.buffer, block,
                in.type));
    }

    @Override
    public void exchange(Ints outgoing, int[] sends, Ints incoming, int[] receives) {
        for (int i = 0; i < size; i++) {
            sentCounts[i] = sends[i + 1] - sends[i];
            receivedCounts[i] = receives[i + 1] - receives[i];
        }
        world.allToAllv(outgoing.values(), sentCounts, sends, MPI.INT, incoming.values(),
                receivedCounts, receives, MPI.INT);
    }

    @Override
    public void gather(double[] own, double[] all) {
        world.allGather(own, own.length, MPI.DOUBLE, all, own.length, MPI.DOUBLE);
    }

    @Override
    public double maximum(double own) {
        number[0] = own;
        world.allReduce(number, 1, MPI.DOUBLE, MPI.MAX);
        return number[0];
    }

    @Override
    public double sum(double own) {
        number[0] = own;
        world.allReduce(number, 1, MPI.DOUBLE, MPI.SUM);
        return number[0];
    }

    @Override
    public void barrier() {
        world.barrier();
    }

    @Override
    public void close() {
        if (part != null) {
            part.free();
        }
    }
}
