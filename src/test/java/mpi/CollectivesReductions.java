// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.CollectivesProgram.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** The reductions of {@link CollectivesProgram}. */
final class CollectivesReductions {
    private static final int N = 5;

    private final Intracomm world;
    private final int rank;
    private final int size;

    private CollectivesReductions(Intracomm world) {
        this.world = world;
        rank = world.getRank();
        size = world.getSize();
    }

    static void run(Intracomm world) {
        CollectivesReductions all = new CollectivesReductions(world);
        for (Kind kind : List.of(Kind.BYTE, Kind.CHAR, Kind.SHORT, Kind.INT, Kind.LONG, Kind.FLOAT,
                Kind.DOUBLE)) {
            for (Op op : List.of(Ops.MAX, Ops.MIN, Ops.SUM, Ops.PROD, Ops.LAND, Ops.LOR, Ops.LXOR,
                    Ops.BAND, Ops.BOR, Ops.BXOR)) {
                if (op.operator.takes(kind)) {
                    all.predefined(kind, op);
                    all.started(kind, op);
                }
            }
        }
        all.booleans();
        all.locations();
        all.complexNumbers();
        all.derived();
        all.noElements();
        all.matrices(new Op(new MatrixOfBuffers(), false));
        all.matrices(new Op(new MatrixOfArrays(), false));
        all.matrices(new Op(new MatrixOfMpiJava(), false));
        all.objects();
    }

    // ---- predefined operations ----

    /** Of logical operations all but 0 is true; a result of one rank may be that or 1. */
    private static long data(Op op, int rank, int i) {
        long value = (rank * 7L + i * 3L) % 5;
        return op.operator.name().startsWith("L") ? value % 2 : value;
    }

    private static long result(Op op, int from, int to, int i) {
        long result = data(op, from, i);
        for (int r = from + 1; r < to; r++) {
            result = op.operator.integers.applyAsLong(result, data(op, r, i));
        }
        return result;
    }

    private static Object array(Kind kind, long[] values) {
        Object array = Operands.array(kind, values.length);
        for (int i = 0; i < values.length; i++) {
            switch (kind) {
                case BYTE -> ((byte[]) array)[i] = (byte) values[i];
                case CHAR -> ((char[]) array)[i] = (char) values[i];
                case SHORT -> ((short[]) array)[i] = (short) values[i];
                case INT -> ((int[]) array)[i] = (int) values[i];
                case LONG -> ((long[]) array)[i] = values[i];
                case FLOAT -> ((float[]) array)[i] = values[i];
                default -> ((double[]) array)[i] = values[i];
            }
        }
        return array;
    }

    private Object own(Kind kind, Op op, int count) {
        long[] values = new long[count];
        Arrays.setAll(values, i -> data(op, rank, i));
        return array(kind, values);
    }

    /** Checks elements, of which the first one is that with a number. */
    private void expect(Object got, Op op, Kind kind, int from, int to, int first, int count,
            String what) {
        long[] values = new long[count];
        Arrays.setAll(values, i -> result(op, from, to, first + i));
        Object expected = array(kind, values);
        String text = text(expected);
        check(text(got).startsWith(text.substring(0, text.length() - 1)), what + " of " + kind + " "
                + op.operator + " is " + text(got) + ", expected " + text);
    }

    private static String text(Object array) {
        String text = Arrays.deepToString(new Object[] {array});
        return text.substring(1, text.length() - 1);
    }

    private void predefined(Kind kind, Op op) {
        Datatype type = Operands.basic(kind);
        Object result = Operands.array(kind, N);
        Object inPlace = own(kind, op, N);
        world.allReduce(own(kind, op, N), result, N, type, op);
        world.allReduce(inPlace, N, type, op);
        expect(result, op, kind, 0, size, 0, N, "allReduce");
        expect(inPlace, op, kind, 0, size, 0, N, "allReduce in place");
        for (int root = 0; root < size; root++) {
            reduce(kind, op, root);
        }
        prefixes(kind, op);
        scattered(kind, op);
    }

    private void reduce(Kind kind, Op op, int root) {
        Datatype type = Operands.basic(kind);
        Object own = own(kind, op, N);
        Object result = Operands.array(kind, N);
        Object inPlace = own(kind, op, N);
        Object upper = Operands.array(kind, N + 1);
        world.reduce(own, rank == root ? result : null, N, type, op, root);
        world.reduce(inPlace, N, type, op, root);
        world.Reduce(own, 1, upper, 1, N - 1, type, op, root);
        expect(own, op, kind, rank, rank + 1, 0, N, "data of reduce");
        if (rank == root) {
            expect(result, op, kind, 0, size, 0, N, "reduce");
            expect(inPlace, op, kind, 0, size, 0, N, "reduce in place");
        } else {
            expect(inPlace, op, kind, rank, rank + 1, 0, N, "data of reduce in place");
        }
    }

    private void prefixes(Kind kind, Op op) {
        Datatype type = Operands.basic(kind);
        Object own = own(kind, op, N);
        Object result = Operands.array(kind, N);
        Object inPlace = own(kind, op, N);
        world.scan(own, result, N, type, op);
        world.scan(inPlace, N, type, op);
        expect(result, op, kind, 0, rank + 1, 0, N, "scan");
        expect(inPlace, op, kind, 0, rank + 1, 0, N, "scan in place");
        Object before = own(kind, op, N);
        Object beforeInPlace = own(kind, op, N);
        world.exScan(own, before, N, type, op);
        world.exScan(beforeInPlace, N, type, op);
        int from = rank == 0 ? 0 : rank;
        expect(before, op, kind, 0, Math.max(from, 1), 0, N, "exScan");
        expect(beforeInPlace, op, kind, 0, Math.max(from, 1), 0, N, "exScan in place");
    }

    /** Rank i gets i elements of reduceScatter. */
    private void scattered(Kind kind, Op op) {
        Datatype type = Operands.basic(kind);
        Object result = Operands.array(kind, N);
        Object inPlace = own(kind, op, N * size);
        world.reduceScatterBlock(own(kind, op, N * size), result, N, type, op);
        world.reduceScatterBlock(inPlace, N, type, op);
        expect(result, op, kind, 0, size, N * rank, N, "reduceScatterBlock");
        expect(inPlace, op, kind, 0, size, N * rank, N, "reduceScatterBlock in place");
        int[] counts = new int[size];
        Arrays.setAll(counts, i -> i);
        int all = size * (size - 1) / 2;
        int first = rank * (rank - 1) / 2;
        Object part = Operands.array(kind, size);
        Object partInPlace = own(kind, op, all);
        world.reduceScatter(own(kind, op, all), part, counts, type, op);
        world.reduceScatter(partInPlace, counts, type, op);
        expect(part, op, kind, 0, size, first, rank, "reduceScatter");
        expect(partInPlace, op, kind, 0, size, first, rank, "reduceScatter in place");
    }

    // ---- non-blocking, in direct buffers ----

    private ByteBuffer direct(Kind kind, Op op, int count) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(count * kind.bytes)
                .order(ByteOrder.nativeOrder());
        Packing.pack(own(kind, op, count), 0, count, Operands.basic(kind), bytes);
        return bytes.clear();
    }

    private static Object contents(ByteBuffer bytes, Kind kind) {
        int count = bytes.capacity() / kind.bytes;
        Object array = Operands.array(kind, count);
        Packing.unpack(bytes.duplicate().clear(), array, 0, count, Operands.basic(kind));
        return array;
    }

    private void started(Kind kind, Op op) {
        Datatype type = Operands.basic(kind);
        ByteBuffer own = direct(kind, op, N * size);
        ByteBuffer[] to = new ByteBuffer[9];
        Arrays.setAll(to, i -> direct(kind, op, N * size));
        int[] counts = new int[size];
        Arrays.fill(counts, N);
        Request[] all = {
            world.iAllReduce(own, to[0], N, type, op), world.iAllReduce(to[1], N, type, op),
            world.iReduce(own, to[2], N, type, op, 0), world.iReduce(to[3], N, type, op, 0),
            world.iReduceScatterBlock(own, to[4], N, type, op),
            world.iReduceScatter(to[5], counts, type, op), world.iScan(own, to[6], N, type, op),
            world.iScan(to[7], N, type, op), world.iExScan(to[8], N, type, op)};
        Request.waitAll(all);
        int last = rank == 0 ? size : rank + 1;
        int begin = rank == 0 ? 0 : rank;
        expect(contents(to[0], kind), op, kind, 0, size, 0, N, "iAllReduce");
        expect(contents(to[1], kind), op, kind, 0, size, 0, N, "iAllReduce in place");
        expect(contents(to[2], kind), op, kind, begin, last, 0, N, "iReduce");
        expect(contents(to[3], kind), op, kind, begin, last, 0, N, "iReduce in place");
        expect(contents(to[4], kind), op, kind, 0, size, N * rank, N, "iReduceScatterBlock");
        expect(contents(to[5], kind), op, kind, 0, size, N * rank, N, "iReduceScatter in place");
        expect(contents(to[6], kind), op, kind, 0, rank + 1, 0, N, "iScan");
        expect(contents(to[7], kind), op, kind, 0, rank + 1, 0, N, "iScan in place");
        expect(contents(to[8], kind), op, kind, 0, Math.max(rank, 1), 0, N, "iExScan in place");
        ByteBuffer blocking = direct(kind, op, N);
        world.allReduce(own, blocking, N, type, op);
        expect(contents(blocking, kind), op, kind, 0, size, 0, N, "allReduce of buffers");
    }

    // ---- other types ----

    private void booleans() {
        boolean[] mine = {true, false, rank == 0};
        boolean[] all = new boolean[3];
        world.allReduce(mine, all, 3, Types.BOOLEAN, Ops.LAND);
        check(all[0] && !all[1] && all[2] == (size == 1), "LAND of booleans");
        world.Allreduce(mine, 0, all, 0, 3, Types.BOOLEAN, Ops.LOR);
        check(all[0] && !all[1] && all[2], "LOR of booleans");
    }

    private void locations() {
        int[] mine = {rank % 2, rank, -rank, rank};
        int[] best = new int[4];
        world.allReduce(mine, best, 2, Types.INT2, Ops.MAXLOC);
        check(Arrays.equals(best, new int[] {size > 1 ? 1 : 0, size > 1 ? 1 : 0, 0, 0}),
                "MAXLOC is " + Arrays.toString(best));
        world.allReduce(mine, best, 2, Types.INT2, Ops.MINLOC);
        check(Arrays.equals(best, new int[] {0, 0, 1 - size, size - 1}),
                "MINLOC is " + Arrays.toString(best));
        double[] pair = {0.5, rank};
        world.reduce(pair, 1, Types.DOUBLE2, Ops.MINLOC, size - 1);
        check(pair[1] == (rank == size - 1 ? 0 : rank), "MINLOC of doubles is " + pair[1]);
    }

    private void complexNumbers() {
        double[] number = {1, 1};
        world.allReduce(number, 1, Types.DOUBLE_COMPLEX, Ops.PROD);
        double[][] powers = {{1, 1}, {0, 2}, {-2, 2}, {-4, 0}};
        check(size > 4 || Arrays.equals(number, powers[size - 1]),
                "the product is " + Arrays.toString(number));
        float[] sum = {rank, 1};
        world.allReduce(sum, 1, Types.FLOAT_COMPLEX, Ops.SUM);
        check(sum[0] == size * (size - 1) / 2 && sum[1] == size,
                "the sum is " + Arrays.toString(sum));
    }

    /** A vector of ints, whose gap does not change. */
    private void derived() {
        Datatype vector = Datatype.createVector(2, 1, 2, Types.INT);
        vector.commit();
        int[] data = {rank, -1, 1, rank, -2, 1};
        int ranks = size * (size - 1) / 2;
        world.allReduce(data, 2, vector, Ops.SUM);
        check(Arrays.equals(data, new int[] {ranks, -1, size, ranks, -2, size}),
                "the sum of vectors is " + Arrays.toString(data));
        int[] before = {rank, -1, 1};
        world.exScan(before, 1, vector, Ops.SUM);
        check(Arrays.equals(before, rank == 0 ? new int[] {0, -1, 1}
                : new int[] {rank * (rank - 1) / 2, -1, rank}),
                "the sum of vectors before is " + Arrays.toString(before));
        int[] local = {1, 9, 2};
        Comm.reduceLocal(new int[] {3, 0, 4}, local, 1, vector, Ops.SUM);
        check(Arrays.equals(local, new int[] {4, 9, 6}), "reduceLocal is "
                + Arrays.toString(local));
    }

    private void noElements() {
        world.allReduce(new int[0], 0, Types.INT, Ops.SUM);
        world.reduce(new short[0], new short[0], 0, Types.SHORT, Ops.SUM, 0);
        world.bcast(null, 0, Types.DOUBLE, 0);
        world.allGather(new double[0], 0, Types.DOUBLE, new double[0], 0, Types.DOUBLE);
        world.scan(new byte[0], 0, Types.BYTE, Ops.MAX);
    }

    // ---- functions of the program ----

    private static void multiply(int[] a, int[] b) {
        for (int i = 0; i < b.length; i += 4) {
            int[] old = Arrays.copyOfRange(b, i, i + 4);
            b[i] = a[i] * old[0] + a[i + 1] * old[2];
            b[i + 1] = a[i] * old[1] + a[i + 1] * old[3];
            b[i + 2] = a[i + 2] * old[0] + a[i + 3] * old[2];
            b[i + 3] = a[i + 2] * old[1] + a[i + 3] * old[3];
        }
    }

    private static final class MatrixOfArrays extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            multiply((int[]) in, (int[]) inOut);
        }
    }

    private static final class MatrixOfBuffers extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
            int[] left = new int[4 * count];
            int[] right = new int[4 * count];
            in.asIntBuffer().get(left);
            inOut.asIntBuffer().get(right);
            multiply(left, right);
            inOut.asIntBuffer().put(right);
        }
    }

    private static final class MatrixOfMpiJava extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count,
                Datatype type) {
            check(inOffset == 0 && inOutOffset == 0, "offsets of a function");
            multiply((int[]) in, (int[]) inOut);
        }
    }

    private static int[] matrices(int rank) {
        return new int[] {1, rank + 1, 0, 1, rank, 1, 1, 0};
    }

    private static int[] product(int from, int to) {
        int[] result = matrices(to - 1);
        for (int r = to - 2; r >= from; r--) {
            multiply(matrices(r), result);
        }
        return result;
    }

    private static void expect(int[] got, int[] expected, String what) {
        check(Arrays.equals(got, expected), what + " of matrices is " + Arrays.toString(got)
                + ", expected " + Arrays.toString(expected));
    }

    private void matrices(Op op) {
        Datatype type = Datatype.createContiguous(4, Types.INT);
        type.commit();
        int[] result = new int[8];
        world.allReduce(matrices(rank), result, 2, type, op);
        expect(result, product(0, size), "allReduce");
        for (int root = 0; root < size; root++) {
            int[] inPlace = matrices(rank);
            world.reduce(inPlace, 2, type, op, root);
            expect(inPlace, rank == root ? product(0, size) : matrices(rank), "reduce");
        }
        world.scan(matrices(rank), result, 2, type, op);
        expect(result, product(0, rank + 1), "scan");
        int[] before = matrices(rank);
        world.exScan(before, 2, type, op);
        expect(before, rank == 0 ? matrices(0) : product(0, rank), "exScan");
        int[] local = matrices(1);
        Comm.reduceLocal(matrices(0), local, 2, type, op);
        expect(local, product(0, 2), "reduceLocal");
        op.free();
        check(op.isNull() && !op.isCommutative(), "a freed operation");
    }

    /** Texts, which are joined. */
    private void objects() {
        Op join = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                    ((String[]) inOut)[i] = ((String[]) in)[i] + ((String[]) inOut)[i];
                }
            }
        }, false);
        String[] mine = {"a" + rank, "b" + rank};
        String[] all = new String[2];
        world.allReduce(mine, all, 2, Types.OBJECT, join);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < size; i++) {
            expected.append("b").append(i);
        }
        check(all[1].contentEquals(expected), "the joined texts are " + all[1]);
    }
}
