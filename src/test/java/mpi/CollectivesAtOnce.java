// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.CollectivesProgram.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Many collectives that are under way at the same time. */
final class CollectivesAtOnce {
    private CollectivesAtOnce() {
    }

    /** Starts collectives, and completes them in another order on each rank. */
    static void run(Intracomm world) {
        int rank = world.getRank();
        int size = world.getSize();
        int collectives = 20;
        List<Request> requests = new ArrayList<>();
        List<ByteBuffer> results = new ArrayList<>();
        for (int i = 0; i < collectives; i++) {
            ByteBuffer data = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder())
                    .putInt(0, rank + i);
            results.add(data);
            requests.add(i % 2 == 0 ? world.iAllReduce(data, 1, Types.INT, Ops.SUM)
                    : world.iBcast(data, 1, Types.INT, i % size));
        }
        int[] sum = {rank};
        world.allReduce(sum, 1, Types.INT, Ops.SUM);
        int ranks = size * (size - 1) / 2;
        check(sum[0] == ranks, "a sum between non-blocking ones is " + sum[0]);
        Collections.shuffle(requests, new Random(rank));
        for (int i = 0; i < collectives / 2; i++) {
            requests.get(i).waitFor();
        }
        Request.waitAll(requests.toArray(new Request[0]));
        for (int i = 0; i < collectives; i++) {
            int expected = i % 2 == 0 ? ranks + size * i : i % size + i;
            check(results.get(i).getInt(0) == expected, "collective " + i + " of many gave "
                    + results.get(i).getInt(0) + ", expected " + expected);
        }
    }
}
