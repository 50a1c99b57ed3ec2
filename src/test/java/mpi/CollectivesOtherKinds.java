// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.CollectivesProgram.check;

import java.nio.ByteOrder;
import java.nio.IntBuffer;

/** Collectives whose datatype is of another kind than the array, as programs ported from C do. */
final class CollectivesOtherKinds {
    private CollectivesOtherKinds() {
    }

    static void run(Intracomm world) {
        int rank = world.getRank();
        int size = world.getSize();
        int[] mine = {0x01020304 + rank};
        int[] all = new int[size];
        world.allGather(mine, 4, Types.BYTE, all, 4, Types.BYTE);
        int[] counts = new int[size];
        int[] places = new int[size];
        for (int i = 0; i < size; i++) {
            check(all[i] == 0x01020304 + i, "int as bytes " + i + ": " + all[i]);
            all[i] = -1;
            counts[i] = 3;
            places[i] = 4 * i;
        }
        world.allGatherv(mine, 3, Types.BYTE, all, counts, places, Types.BYTE);
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        for (int i = 0; i < size; i++) {
            int expected = little ? 0xff020304 + i : 0x010203ff;
            check(all[i] == expected, "three bytes " + i + ": " + Integer.toHexString(all[i]));
        }
        world.allReduce(mine, 1, Types.FLOAT, Ops.MAX);
        check(mine[0] == 0x01020304 + size - 1, "int as float: " + mine[0]);
        world.bcast(mine, 2, Types.SHORT, size - 1);
        buffers(world, rank, size);
    }

    /** Each gets four bytes of each, by a datatype for each. */
    private static void buffers(Intracomm world, int rank, int size) {
        IntBuffer in = MPI.newIntBuffer(size);
        IntBuffer out = MPI.newIntBuffer(size);
        int[] counts = new int[size];
        int[] places = new int[size];
        Datatype[] types = new Datatype[size];
        for (int i = 0; i < size; i++) {
            in.put(i, Integer.reverseBytes(i) | rank);
            counts[i] = 4;
            places[i] = 4 * i;
            types[i] = Types.BYTE;
        }
        world.allToAllw(in, counts, places, types, out, counts, places, types);
        for (int i = 0; i < size; i++) {
            check(out.get(i) == (Integer.reverseBytes(rank) | i), "bytes of rank " + i);
        }
    }
}
