/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Adapter for Open MPI's Java bindings: ping-pong between two ranks with direct buffers or with
 * {@code double[]}. The method is that of c/harness.c: rank 0 announces batches, each sample is one
 * batch, half a round trip is printed. Each rank writes its data before it sends them and reads
 * what it receives, as c/lines.h does.
 */
public final class OpenMpiBench {
    private static final long BATCH_NS = 100_000;
    private static final int MIN_SAMPLES = 5;
    private static final int LINE = 64;
    private static final int MAX_BATCH = 1 << 20;
    /** A JIT compiler wants more warm-up than C: the least for the first size, and for the rest. */
    private static final long FIRST_WARM_UP_NS = 1_500_000_000;

    private static final long WARM_UP_NS = 200_000_000;

    private final Comm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int[] plan = new int[1];
    private final long budgetNs;
    private final Exchange exchange;
    /** Counts the turns, so that every message has other data; the same on both ranks. */
    private long turn;

    /** One message there and one back, seen from this rank. */
    private interface Exchange {
        void send(int peer) throws MPIException;

        void receive(int peer) throws MPIException;

        /** Writes {@code turn + offset} into the first double of each cache line that is sent. */
        void write(long turn);

        /** Returns how far the first double of each received cache line is off from that. */
        double read(long turn);

        /** Puts a pattern of this rank into the outgoing buffer and clears the incoming one. */
        void fill(int seed);

        boolean holds(int seed);
    }

    private OpenMpiBench(Exchange exchange, long budgetNs) throws MPIException {
        this.exchange = exchange;
        this.budgetNs = budgetNs;
    }

    private static final class Direct implements Exchange {
        private final int bytes;
        private final ByteBuffer in;
        private final ByteBuffer out;

        Direct(int bytes) {
            this.bytes = bytes;
            this.in = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            this.out = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }

        @Override
        public void send(int peer) throws MPIException {
            MPI.COMM_WORLD.send(out, bytes, MPI.BYTE, peer, 0);
        }

        @Override
        public void receive(int peer) throws MPIException {
            MPI.COMM_WORLD.recv(in, bytes, MPI.BYTE, peer, 0);
        }

        @Override
        public void write(long turn) {
            for (int at = 0; at + Double.BYTES <= bytes; at += LINE) {
                out.putDouble(at, turn + at);
            }
        }

        @Override
        public double read(long turn) {
            double off = 0;
            for (int at = 0; at + Double.BYTES <= bytes; at += LINE) {
                off += Math.abs(in.getDouble(at) - turn - at);
            }
            return off;
        }

        @Override
        public void fill(int seed) {
            for (int i = 0; i < bytes; i++) {
                out.put(i, (byte) (i * 7 + seed));
                in.put(i, (byte) ~(i * 7));
            }
        }

        @Override
        public boolean holds(int seed) {
            for (int i = 0; i < bytes; i++) {
                if (in.get(i) != (byte) (i * 7 + seed)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static final class Doubles implements Exchange {
        private final double[] in;
        private final double[] out;

        Doubles(int bytes) {
            this.in = new double[bytes / Double.BYTES];
            this.out = new double[bytes / Double.BYTES];
        }

        @Override
        public void send(int peer) throws MPIException {
            MPI.COMM_WORLD.send(out, out.length, MPI.DOUBLE, peer, 0);
        }

        @Override
        public void receive(int peer) throws MPIException {
            MPI.COMM_WORLD.recv(in, in.length, MPI.DOUBLE, peer, 0);
        }

        @Override
        public void write(long turn) {
            for (int i = 0; i < out.length; i += LINE / Double.BYTES) {
                out[i] = turn + i;
            }
        }

        @Override
        public double read(long turn) {
            double off = 0;
            for (int i = 0; i < out.length; i += LINE / Double.BYTES) {
                off += Math.abs(in[i] - turn - i);
            }
            return off;
        }

        @Override
        public void fill(int seed) {
            for (int i = 0; i < out.length; i++) {
                out[i] = i * 7.0 + seed;
                in[i] = Double.NaN;
            }
        }

        @Override
        public boolean holds(int seed) {
            for (int i = 0; i < in.length; i++) {
                if (in[i] != i * 7.0 + seed) {
                    return false;
                }
            }
            return true;
        }
    }

    private void calls(int count) throws MPIException {
        double off = 0;
        for (int i = 0; i < count; i++) {
            turn++;
            if (rank == 0) {
                exchange.write(turn);
                exchange.send(1);
                exchange.receive(1);
                off += exchange.read(turn);
            } else {
                exchange.receive(0);
                off += exchange.read(turn);
                exchange.write(turn);
                exchange.send(0);
            }
        }
        complainIf(off != 0);
    }

    private void complainIf(boolean wrong) throws MPIException {
        if (wrong) {
            System.err.println("openmpi-java: rank " + rank + " has wrong data");
            world.abort(1);
        }
    }

    private long batch(int count) throws MPIException {
        plan[0] = count;
        world.bcast(plan, 1, MPI.INT, 0);
        world.barrier();
        long start = System.nanoTime();
        calls(count);
        return System.nanoTime() - start;
    }

    private void follow() throws MPIException {
        while (true) {
            world.bcast(plan, 1, MPI.INT, 0);
            if (plan[0] == 0) {
                return;
            }
            world.barrier();
            calls(plan[0]);
        }
    }

    private void check() throws MPIException {
        exchange.fill(rank);
        if (rank == 0) {
            exchange.send(1);
            exchange.receive(1);
        } else {
            exchange.receive(0);
            exchange.send(0);
        }
        complainIf(!exchange.holds(1 - rank));
    }

    private int warmUp(long least) throws MPIException {
        long end = System.nanoTime() + Math.max(least, budgetNs / 5);
        while (System.nanoTime() < end) {
            batch(64);
        }
        int count = 1;
        while (Math.min(batch(count), batch(count)) < BATCH_NS && count < MAX_BATCH) {
            count *= 2;
        }
        return count;
    }

    private void measure(int bytes, String buffers, boolean first) throws MPIException {
        int count = warmUp(first ? FIRST_WARM_UP_NS : WARM_UP_NS);
        double[] samples = new double[20_000];
        int taken = 0;
        long end = System.nanoTime() + budgetNs;
        while ((System.nanoTime() < end || taken < MIN_SAMPLES) && taken < samples.length) {
            samples[taken++] = batch(count) / (2.0 * count) / 1000.0;
        }
        plan[0] = 0;
        world.bcast(plan, 1, MPI.INT, 0);
        Arrays.sort(samples, 0, taken);
        double median = samples[taken / 2];
        System.out.printf(
                Locale.ROOT,
                "{\"impl\":\"openmpi-java\",\"bench\":\"pingpong\",\"bytes\":%d,\"ranks\":2,"
                        + "\"path\":\"default\",\"buffers\":\"%s\",\"min_us\":%.4f,"
                        + "\"median_us\":%.4f,\"p99_us\":%.4f,\"mb_per_s\":%.1f,"
                        + "\"samples\":%d,\"batch\":%d}%n",
                bytes, buffers, samples[0], median,
                samples[Math.min(taken - 1, (int) (taken * 0.99))], bytes / median, taken, count);
    }

    /** Arguments: {@code direct|array BYTES[,BYTES...] MILLISECONDS}. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        if (args.length != 3 || MPI.COMM_WORLD.getSize() != 2) {
            System.err.println("usage (on 2 ranks): OpenMpiBench direct|array BYTES,... MS");
            MPI.COMM_WORLD.abort(2);
        }
        boolean first = true;
        for (String text : args[1].split(",")) {
            int bytes = Integer.parseInt(text);
            Exchange exchange = args[0].equals("array") ? new Doubles(bytes) : new Direct(bytes);
            OpenMpiBench bench = new OpenMpiBench(exchange, Long.parseLong(args[2]) * 1_000_000);
            bench.check();
            if (bench.rank == 0) {
                bench.measure(bytes, args[0], first);
            } else {
                bench.follow();
            }
            first = false;
        }
        MPI.Finalize();
    }
}
