/* SPDX-License-Identifier: Apache-2.0 */

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hayate's persistent collectives from Java, as a player of the referee (see ../README.md), by the
 * rules of ../c/player.c. All data are numbers: floats when a block has 4 bytes, else doubles.
 * Arguments: FOLDER PLAYER.
 */
public final class HayatePlayer implements Player.Library {
    private static final int ROOT = 0;
    private static final int CHECKED_RUNS = 3;
    private static final List<String> OPERATIONS = List.of("allreduce", "bcast", "reduce",
            "alltoall", "allgather", "gather", "scatter", "reduce_scatter", "barrier");
    private static final int LINE = 64;
    /** Sums of smaller numbers are exact in a float. */
    private static final int NUMBERS = 1024;

    private final Hayate job;
    private final Fmpl fmpl;
    private final PersistentColl persistent;

    private HayatePlayer(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
        persistent = PersistentColl.on(fmpl.world());
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            new Player(new HayatePlayer(job, fmpl)).play(Path.of(args[0]), args[1]);
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // the launcher ends the other ranks
        }
    }

    @Override
    public int rank() {
        return job.rank();
    }

    @Override
    public int size() {
        return job.size();
    }

    @Override
    public void barrier() {
        fmpl.barrier();
    }

    @Override
    public int agree(int number) {
        int[] agreed = {number};
        fmpl.bcast(Span.of(agreed), ROOT);
        return agreed[0];
    }

    @Override
    public List<String> series() {
        return List.of("java-heap", "java-array");
    }

    @Override
    public List<String> operations() {
        return OPERATIONS;
    }

    @Override
    public Player.Call open(String series, String op, int bytes) {
        return new Case(op, op.equals("barrier") ? 0 : bytes, series.equals("java-heap"));
    }

    /** Numbers in memory of some kind. What is timed are its loops, one for each kind. */
    private interface Numbers {
        Span span();

        double get(int index);

        void set(int index, double value);

        /** Sets each step-th number of a part to a value. */
        void fill(int from, int end, int step, double value);

        /** Returns how far each step-th number of a part is off a value, as a sum. */
        double off(int from, int end, int step, double value);

        default void release() {}
    }

    private record HeapFloats(HeapSpan span, FloatBuffer data) implements Numbers {
        @Override
        public double get(int index) {
            return data.get(index);
        }

        @Override
        public void set(int index, double value) {
            data.put(index, (float) value);
        }

        @Override
        public void fill(int from, int end, int step, double value) {
            for (int i = from; i < end; i += step) {
                data.put(i, (float) value);
            }
        }

        @Override
        public double off(int from, int end, int step, double value) {
            double sum = 0;
            for (int i = from; i < end; i += step) {
                sum += Math.abs(data.get(i) - value);
            }
            return sum;
        }

        @Override
        public void release() {
            span.close();
        }
    }

    private record HeapDoubles(HeapSpan span, DoubleBuffer data) implements Numbers {
        @Override
        public double get(int index) {
            return data.get(index);
        }

        @Override
        public void set(int index, double value) {
            data.put(index, value);
        }

        @Override
        public void fill(int from, int end, int step, double value) {
            for (int i = from; i < end; i += step) {
                data.put(i, value);
            }
        }

        @Override
        public double off(int from, int end, int step, double value) {
            double sum = 0;
            for (int i = from; i < end; i += step) {
                sum += Math.abs(data.get(i) - value);
            }
            return sum;
        }

        @Override
        public void release() {
            span.close();
        }
    }

    private record FloatNumbers(Span span, float[] data) implements Numbers {
        @Override
        public double get(int index) {
            return data[index];
        }

        @Override
        public void set(int index, double value) {
            data[index] = (float) value;
        }

        @Override
        public void fill(int from, int end, int step, double value) {
            for (int i = from; i < end; i += step) {
                data[i] = (float) value;
            }
        }

        @Override
        public double off(int from, int end, int step, double value) {
            double sum = 0;
            for (int i = from; i < end; i += step) {
                sum += Math.abs(data[i] - value);
            }
            return sum;
        }
    }

    private record DoubleNumbers(Span span, double[] data) implements Numbers {
        @Override
        public double get(int index) {
            return data[index];
        }

        @Override
        public void set(int index, double value) {
            data[index] = value;
        }

        @Override
        public void fill(int from, int end, int step, double value) {
            for (int i = from; i < end; i += step) {
                data[i] = value;
            }
        }

        @Override
        public double off(int from, int end, int step, double value) {
            double sum = 0;
            for (int i = from; i < end; i += step) {
                sum += Math.abs(data[i] - value);
            }
            return sum;
        }
    }

    /** One collective of one size; in and out are the same where it works in place. */
    private final class Case implements Player.Call {
        final String op;
        final long bytes;
        final boolean floats;
        final int count;
        final Numbers in;
        final Numbers out;
        /** Null: a call is an init. */
        final PersistentOperation operation;
        /** What each measured call writes and reads, and what it then finds there. */
        private final int written;
        private final int read;
        private final int terms;
        final List<PersistentOperation> inits = new ArrayList<>();
        private int salt;

        Case(String op, long bytes, boolean heap) {
            this.op = op;
            this.bytes = bytes;
            floats = bytes == 4;
            count = (int) (bytes / (floats ? 4 : 8));
            in = numbers(heap, sendsMany() ? job.size() : 1);
            out = inPlace() ? in : numbers(heap, receivesMany() ? job.size() : 1);
            operation = op.equals("allreduce_init") ? null : prepare();
            written = gives() ? length(in) : 0;
            read = gets() ? length(out) : 0;
            terms = sums() ? job.size() : 1;
        }

        private Numbers numbers(boolean heap, int blocks) {
            int length = Math.max(1, count * blocks);
            if (heap) {
                HeapSpan span = job.allocate(length * (floats ? 4L : 8L));
                return floats ? new HeapFloats(span, span.floats())
                        : new HeapDoubles(span, span.doubles());
            }
            if (floats) {
                float[] array = new float[length];
                return new FloatNumbers(Span.of(array), array);
            }
            double[] array = new double[length];
            return new DoubleNumbers(Span.of(array), array);
        }

        private boolean sums() {
            return op.contains("reduce");
        }

        private boolean inPlace() {
            return List.of("bcast", "reduce", "allreduce", "allreduce_init").contains(op);
        }

        private boolean sendsMany() {
            return List.of("alltoall", "scatter", "reduce_scatter").contains(op);
        }

        private boolean receivesMany() {
            return List.of("alltoall", "gather", "allgather").contains(op);
        }

        private PersistentOperation prepare() {
            Reduction sum = floats ? Reduction.FLOAT_SUM : Reduction.DOUBLE_SUM;
            boolean atRoot = job.rank() == ROOT;
            return switch (op) {
                case "bcast" -> persistent.bcast(in.span(), ROOT);
                case "reduce" -> persistent.reduce(in.span(), sum, ROOT);
                case "allreduce", "allreduce_init" -> persistent.allreduce(in.span(), sum);
                case "alltoall" -> persistent.alltoall(in.span(), out.span());
                case "allgather" -> persistent.allgather(in.span(), out.span());
                case "gather" ->
                    persistent.gather(in.span(), atRoot ? out.span() : null, ROOT);
                case "scatter" ->
                    persistent.scatter(atRoot ? in.span() : null, out.span(), ROOT);
                case "reduce_scatter" -> persistent.reduceScatter(in.span(), out.span(), sum);
                case "barrier" -> persistent.barrier();
                default -> throw new IllegalArgumentException("no such operation: " + op);
            };
        }

        @Override
        public boolean run(int turn) {
            write(turn);
            call();
            return read(turn);
        }

        @Override
        public String choice() {
            return operation == null ? "" : operation.describe();
        }

        @Override
        public boolean warms() {
            return operation != null;
        }

        @Override
        public String toString() {
            return op;
        }

        private void call() {
            if (operation == null) {
                inits.add(prepare());
                return;
            }
            operation.start();
            operation.await();
        }

        private boolean gives() {
            return operation != null && count > 0
                    && (!(op.equals("bcast") || op.equals("scatter")) || job.rank() == ROOT);
        }

        private boolean gets() {
            return operation != null && count > 0
                    && (!(op.equals("reduce") || op.equals("gather")) || job.rank() == ROOT);
        }

        /** One number of each cache line of each block, as in ../c/player_data.c. */
        private void write(int turn) {
            int step = LINE / (floats ? 4 : 8);
            for (int block = 0; block < written; block += count) {
                in.fill(block, block + count, step, turn % NUMBERS);
            }
        }

        private boolean read(int turn) {
            int step = LINE / (floats ? 4 : 8);
            double wanted = (double) (turn % NUMBERS) * terms;
            double off = 0;
            for (int block = 0; block < read; block += count) {
                off += out.off(block, block + count, step, wanted);
            }
            return off == 0;
        }

        @Override
        public void settle() {
            inits.forEach(PersistentOperation::close);
            inits.clear();
        }

        @Override
        public void close() {
            if (operation != null) {
                operation.close();
            }
            in.release();
            if (out != in) {
                out.release();
            }
        }

        /** Several runs, each with other data; afterwards all is zero, and stays so. */
        @Override
        public void check() {
            int runs = count == 0 || operation == null ? 0
                    : bytes <= Player.CHECKED_AGAIN ? CHECKED_RUNS : 1;
            for (int run = 0; run < runs; run++) {
                salt++;
                fill();
                fmpl.barrier();
                call();
                if (!right()) {
                    throw new IllegalStateException("wrong data after " + op + " of " + bytes
                            + " bytes on " + job.size() + " ranks");
                }
                fmpl.barrier();
            }
            clear(in);
            clear(out);
        }

        private int length(Numbers of) {
            return (int) (of.span().bytes() / (floats ? 4 : 8));
        }

        private void clear(Numbers numbers) {
            for (int i = 0; i < length(numbers); i++) {
                numbers.set(i, 0);
            }
        }

        /** Whole numbers, exact in a float. */
        private double value(int from, int to, int at) {
            return sums() ? from + 1 + at % 7 + salt : (from * 64 + to) * 1000.0 + at % 997 + salt;
        }

        private void fill() {
            for (int i = 0; i < length(out); i++) {
                out.set(i, -1);
            }
            for (int i = 0; i < length(in); i++) {
                in.set(i, sums() ? value(job.rank(), 0, i)
                        : value(job.rank(), i / count, i % count));
            }
        }

        private double sum(int at) {
            double ranks = job.size();
            return ranks * (ranks + 1) / 2 + ranks * (at % 7 + salt);
        }

        private double wanted(int index) {
            if (sums()) {
                return sum(op.equals("reduce_scatter") ? job.rank() * count + index : index);
            }
            boolean rooted = op.equals("bcast") || op.equals("scatter");
            boolean chosen = op.equals("alltoall") || op.equals("scatter");
            return value(rooted ? ROOT : index / count, chosen ? job.rank() : 0, index % count);
        }

        private boolean right() {
            boolean toRoot = op.equals("reduce") || op.equals("gather");
            for (int i = 0; i < length(out) && (!toRoot || job.rank() == ROOT); i++) {
                if (out.get(i) != wanted(i)) {
                    return false;
                }
            }
            return true;
        }
    }
}
