// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;

/** A collective of all members of a place, with integers that their ranks determine. */
final class Collective {
    private enum Call {
        BARRIER, ALL_REDUCE, ALL_GATHER, BCAST, REDUCE, GATHER, SCATTER, ALL_TO_ALL, SCAN,
        ALL_GATHER_V, REDUCE_SCATTER_BLOCK
    }

    private static final Call[] BETWEEN_GROUPS = {Call.BARRIER, Call.ALL_REDUCE, Call.ALL_GATHER};
    private static final Call[] STARTED = {Call.BARRIER, Call.ALL_REDUCE, Call.ALL_GATHER,
        Call.BCAST, Call.REDUCE, Call.ALL_TO_ALL};
    private static final int[] COUNTS = {1, 2, 7, 64, 1000, 5000};

    private final Place place;
    private final Call call;
    private final int count;
    private final int draw;
    private final boolean max;
    private final long seed;
    private IntBuffer out;
    private IntBuffer in;

    Collective(Random random, Place place, boolean started, long seed) {
        this.place = place;
        this.seed = seed;
        call = Seeds.oneOf(random, place.inter ? BETWEEN_GROUPS : started ? STARTED
                : Call.values());
        count = COUNTS[random.nextInt(COUNTS.length)];
        draw = random.nextInt(Short.MAX_VALUE);
        max = random.nextBoolean();
    }

    private Op op() {
        return max ? MPI.MAX : MPI.SUM;
    }

    private int root() {
        return draw % place.local().length;
    }

    /** The ranks of the world whose data come. */
    private int[] sources() {
        return place.remote();
    }

    private int value(int world, int index) {
        return (int) Seeds.mix(Seeds.mix(seed, world), index);
    }

    private int[] values(int world, int length) {
        return IntStream.range(0, length).map(i -> value(world, i)).toArray();
    }

    private int[] own(int length) {
        return values(MPI.COMM_WORLD.getRank(), length);
    }

    private int[] reduced(int[] worlds, int from, int length) {
        IntBinaryOperator with = max ? Math::max : Integer::sum;
        return IntStream.range(from, from + length).map(i -> Arrays.stream(worlds)
                .map(world -> value(world, i)).reduce(with).getAsInt()).toArray();
    }

    private int[] joined(int[] worlds, int from, int length) {
        return Arrays.stream(worlds).flatMap(world -> IntStream.range(from, from + length)
                .map(i -> value(world, i))).toArray();
    }

    private void check(int[] found, int[] expected) {
        Trouble.unless(Arrays.equals(found, expected), "%s of %d on %s: wrong at %d", call, count,
                place, Arrays.mismatch(found, expected));
    }

    /** Does it with arrays. */
    void run() {
        int me = place.comm.getRank();
        int size = sources().length;
        int[] result = new int[count * Math.max(1, size)];
        if (call == Call.BARRIER) {
            place.comm.barrier();
        } else if (place.inter || call.ordinal() < Call.BCAST.ordinal()) {
            runToAll(result, size);
        } else {
            runInside((Intracomm) place.comm, me, size, result);
        }
    }

    private void runToAll(int[] result, int size) {
        if (call == Call.ALL_REDUCE) {
            place.comm.allReduce(own(count), result, count, MPI.INT, op());
            check(Arrays.copyOf(result, count), reduced(sources(), 0, count));
        } else {
            place.comm.allGather(own(count), count, MPI.INT, result, count, MPI.INT);
            check(result, joined(sources(), 0, count));
        }
    }

    private void runInside(Intracomm comm, int me, int size, int[] result) {
        boolean isRoot = me == root();
        int top = sources()[root()];
        switch (call) {
            case BCAST -> {
                int[] data = isRoot ? own(count) : new int[count];
                comm.bcast(data, count, MPI.INT, root());
                check(data, values(top, count));
            }
            case REDUCE -> {
                comm.reduce(own(count), result, count, MPI.INT, op(), root());
                check(Arrays.copyOf(result, isRoot ? count : 0),
                        isRoot ? reduced(sources(), 0, count) : new int[0]);
            }
            case GATHER -> {
                comm.gather(own(count), count, MPI.INT, result, count, MPI.INT, root());
                check(result, isRoot ? joined(sources(), 0, count) : new int[count * size]);
            }
            case SCATTER -> {
                comm.scatter(own(count * size), count, MPI.INT, result, count, MPI.INT, root());
                check(Arrays.copyOf(result, count), Arrays.copyOfRange(values(top, count * size),
                        me * count, (me + 1) * count));
            }
            case ALL_TO_ALL -> {
                comm.allToAll(own(count * size), count, MPI.INT, result, count, MPI.INT);
                check(result, joined(sources(), me * count, count));
            }
            case SCAN -> {
                comm.scan(own(count), result, count, MPI.INT, op());
                check(Arrays.copyOf(result, count),
                        reduced(Arrays.copyOf(sources(), me + 1), 0, count));
            }
            case ALL_GATHER_V -> gatherUneven(comm, me, size);
            default -> {
                comm.reduceScatterBlock(own(count * size), result, count, MPI.INT, op());
                check(Arrays.copyOf(result, count), reduced(sources(), me * count, count));
            }
        }
    }

    /** Rank i has i * count elements. */
    private void gatherUneven(Intracomm comm, int me, int size) {
        int[] counts = IntStream.range(0, size).map(i -> i * count).toArray();
        int[] starts = IntStream.range(0, size).map(i -> i * (i - 1) / 2 * count).toArray();
        int[] result = new int[size * (size - 1) / 2 * count];
        comm.allGatherv(own(counts[me]), counts[me], MPI.INT, result, counts, starts, MPI.INT);
        check(result, IntStream.range(0, size).flatMap(i ->
                Arrays.stream(values(sources()[i], counts[i]))).toArray());
    }

    /** Starts it, from direct buffers. */
    Request start() {
        int size = sources().length;
        int length = count * Math.max(1, size);
        out = MPI.newIntBuffer(length).put(0, own(length));
        in = MPI.newIntBuffer(length);
        return switch (call) {
            case BARRIER -> place.comm.iBarrier();
            case ALL_REDUCE -> place.comm.iAllReduce(out, in, count, MPI.INT, op());
            case ALL_GATHER -> place.comm.iAllGather(out, count, MPI.INT, in, count, MPI.INT);
            case BCAST -> place.comm.iBcast(place.comm.getRank() == root() ? out : in, count,
                    MPI.INT, root());
            case REDUCE -> place.comm.iReduce(out, in, count, MPI.INT, op(), root());
            default -> place.comm.iAllToAll(out, count, MPI.INT, in, count, MPI.INT);
        };
    }

    /** Checks the result of one that was started and is complete. */
    void finished() {
        int size = sources().length;
        int me = place.comm.getRank();
        switch (call) {
            case BARRIER -> { }
            case ALL_REDUCE -> check(head(count), reduced(sources(), 0, count));
            case ALL_GATHER -> check(head(count * size), joined(sources(), 0, count));
            case BCAST -> check(me == root() ? own(count) : head(count),
                    values(sources()[root()], count));
            case REDUCE -> check(head(me == root() ? count : 0),
                    me == root() ? reduced(sources(), 0, count) : new int[0]);
            default -> check(head(count * size), joined(sources(), me * count, count));
        }
    }

    private int[] head(int length) {
        int[] head = new int[length];
        in.get(0, head);
        return head;
    }
}
