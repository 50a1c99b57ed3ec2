// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages by Fmpl, and collectives by Fmpl, or prepared with `--persistent`; an alltoall that is
 * not prepared is a message for each pair of ranks, its own block too.
 */
final class HayateLibrary implements NasLibrary {
    private static final int KEYS = 1; // a matching-area index

    /** Numbers of so many bytes. */
    private record Memory(Span span, int each) implements Part {
        @Override
        public Part slice(int from, int count) {
            return new Memory(span.slice((long) from * each, (long) count * each), each);
        }
    }

    private record Row(Communicator communicator) implements Members { }

    private final Hayate job;
    private final Fmpl fmpl;
    private final NasOptions options;
    private final List<Runnable> taken = new ArrayList<>();
    private final double[] number = new double[1];
    private final Span numberSpan = Span.of(number);
    private final Request[] pairs;

    HayateLibrary(Hayate job, Fmpl fmpl, NasOptions options) {
        this.job = job;
        this.fmpl = fmpl;
        this.options = options;
        pairs = new Request[2 * (job.size() - 1)];
    }

    private static Span span(Part part) {
        return ((Memory) part).span;
    }

    @Override
    public int rank() {
        return job.rank();
    }

    @Override
    public int size() {
        return job.size();
    }

    // ---- memory ----

    @Override
    public Doubles doubles(int count) {
        if (options.memory() == MemoryKind.ARRAY) {
            double[] array = new double[count];
            return new Doubles(DoubleBuffer.wrap(array), new Memory(Span.of(array), Double.BYTES));
        }
        if (options.memory() == MemoryKind.DIRECT) {
            ByteBuffer memory = direct((long) count * Double.BYTES);
            return new Doubles(memory.asDoubleBuffer(), new Memory(Span.of(memory), Double.BYTES));
        }
        HeapSpan memory = heap((long) count * Double.BYTES);
        return new Doubles(memory.buffer().asDoubleBuffer(), new Memory(memory, Double.BYTES));
    }

    @Override
    public Ints ints(int count) {
        if (options.memory() == MemoryKind.ARRAY) {
            int[] array = new int[count];
            return new Ints(IntBuffer.wrap(array), new Memory(Span.of(array), Integer.BYTES));
        }
        if (options.memory() == MemoryKind.DIRECT) {
            ByteBuffer memory = direct((long) count * Integer.BYTES);
            return new Ints(memory.asIntBuffer(), new Memory(Span.of(memory), Integer.BYTES));
        }
        HeapSpan memory = heap((long) count * Integer.BYTES);
        return new Ints(memory.buffer().asIntBuffer(), new Memory(memory, Integer.BYTES));
    }

    private static ByteBuffer direct(long bytes) {
        return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }

    private HeapSpan heap(long bytes) {
        HeapSpan memory = job.allocate(Math.max(bytes, 1));
        taken.add(memory::close);
        return memory;
    }

    // ---- messages ----

    @Override
    public Transfer send(Part data, int rank, int tag) {
        return new Send(fmpl, span(data), rank, tag);
    }

    @Override
    public Transfer receive(Part room, int rank, int tag) {
        return new Receive(fmpl, span(room), rank, tag);
    }

    private static final class Send implements Transfer {
        private final Fmpl fmpl;
        private final Span data;
        private final int rank;
        private final int mai;
        private Request request;

        Send(Fmpl fmpl, Span data, int rank, int mai) {
            this.fmpl = fmpl;
            this.data = data;
            this.rank = rank;
            this.mai = mai;
        }

        @Override
        public void start() {
            request = fmpl.isend(data, rank, mai);
        }

        @Override
        public void await() {
            if (request != null) {
                request.await();
            }
        }

        @Override
        public void run() {
            fmpl.send(data, rank, mai);
        }
    }

    private static final class Receive implements Transfer {
        private final Fmpl fmpl;
        private final Span room;
        private final int rank;
        private final int mai;
        private Request request;

        Receive(Fmpl fmpl, Span room, int rank, int mai) {
            this.fmpl = fmpl;
            this.room = room;
            this.rank = rank;
            this.mai = mai;
        }

        @Override
        public void start() {
            request = fmpl.irecv(room, rank, mai);
        }

        @Override
        public void await() {
            if (request != null) {
                request.await();
            }
        }

        @Override
        public void run() {
            fmpl.recv(room, rank, mai);
        }
    }

    // ---- collectives ----

    @Override
    public Members world() {
        return new Row(fmpl.world());
    }

    @Override
    public Members split(int parts, int own) {
        Members result = null;
        for (int part = 0; part < parts; part++) {
            Communicator members = fmpl.create(part == own);
            taken.add(members::close);
            result = part == own ? new Row(members) : result;
        }
        return result;
    }

    @Override
    public Action sum(Part data, Members members) {
        Communicator communicator = ((Row) members).communicator;
        Span span = span(data);
        Reduction reduction = ((Memory) data).each == Double.BYTES ? Reduction.DOUBLE_SUM
                : Reduction.INT_SUM;
        if (options.persistent()) {
            return prepared(PersistentColl.on(communicator)
                    .allreduce(span, reduction, options.collective()));
        }
        return new Action() {
            @Override
            public void run() {
                fmpl.allreduce(span, reduction, communicator);
            }

            @Override
            public void close() {
                // nothing was taken
            }
        };
    }

    @Override
    public Action allToAll(Part from, Part to, int tag) {
        return options.persistent()
                ? prepared(PersistentColl.on(fmpl.world())
                        .alltoall(span(from), span(to), options.collective()))
                : new Pairs(fmpl, job.rank(), job.size(), span(from), span(to), tag);
    }

    private static Action prepared(PersistentOperation operation) {
        return new Action() {
            @Override
            public void run() {
                operation.start();
                operation.await();
            }

            @Override
            public void close() {
                operation.close();
            }
        };
    }

    /** In each step everybody sends to another one; the own numbers need no message. */
    @Override
    public void exchange(Ints outgoing, int[] sends, Ints incoming, int[] receives) {
        int ranks = job.size();
        int own = job.rank();
        for (int step = 1; step < ranks; step++) {
            int source = (own + ranks - step) % ranks;
            pairs[step - 1] = fmpl.irecv(span(incoming.all()), bytes(receives[source]),
                    bytes(receives[source + 1] - receives[source]), source, KEYS);
        }
        for (int step = 1; step < ranks; step++) {
            int target = (own + step) % ranks;
            pairs[ranks - 2 + step] = fmpl.isend(span(outgoing.all()), bytes(sends[target]),
                    bytes(sends[target + 1] - sends[target]), target, KEYS);
        }
        incoming.values().put(receives[own], outgoing.values(), sends[own],
                sends[own + 1] - sends[own]);
        fmpl.waitAll(pairs);
    }

    private static long bytes(int ints) {
        return (long) ints * Integer.BYTES;
    }

    @Override
    public void gather(double[] own, double[] all) {
        try (PersistentOperation gather = PersistentColl.on(fmpl.world())
                .allgather(Span.of(own), Span.of(all))) {
            gather.start();
            gather.await();
        }
    }

    @Override
    public double maximum(double own) {
        number[0] = own;
        fmpl.allreduce(numberSpan, Reduction.DOUBLE_ABS_MAX);
        return number[0];
    }

    @Override
    public double sum(double own) {
        number[0] = own;
        fmpl.allreduce(numberSpan, Reduction.DOUBLE_SUM);
        return number[0];
    }

    @Override
    public void barrier() {
        fmpl.barrier();
    }

    @Override
    public void close() {
        taken.forEach(Runnable::run);
        taken.clear();
    }
}
