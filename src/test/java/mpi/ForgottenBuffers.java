// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A rank: buffers that nothing but the argument of a collective refers to, in the order of bytes
 * that is not the machine's, while a collection of garbage runs and their memory would be used
 * again.
 */
final class ForgottenBuffers {
    private static final int ELEMENTS = 1 << 18;
    private static final int ROUNDS = 4;
    /** So often that compiled code runs, which forgets what it needs no longer. */
    private static final int WARM_UP = 15_000;

    private ForgottenBuffers() {
    }

    private static IntBuffer made(int elements) {
        IntBuffer made = MPI.newByteBuffer(elements * Integer.BYTES).order(ByteOrder.BIG_ENDIAN)
                .asIntBuffer();
        for (int i = 0; i < elements; i++) {
            made.put(i, 7);
        }
        return made;
    }

    private static void gather(int elements, int[] all) {
        MPI.COMM_WORLD.gather(made(elements), elements, MPI.INT, all, elements, MPI.INT, 0);
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        int[] all = new int[2 * ELEMENTS];
        for (int i = 0; i < WARM_UP; i++) {
            gather(4, all);
        }
        for (int round = 0; round < ROUNDS; round++) {
            if (MPI.COMM_WORLD.getRank() == 0) {
                Thread.sleep(300); // the other rank is in the call
                gather(ELEMENTS, all);
                for (int value : all) {
                    if (Integer.reverseBytes(value) != 7) {
                        throw new AssertionError("an element is " + value);
                    }
                }
            } else {
                Thread other = new Thread(ForgottenBuffers::useAgain);
                other.start();
                gather(ELEMENTS, all);
                other.join();
            }
        }
        MPI.Finalize();
    }

    private static void useAgain() {
        List<ByteBuffer> next = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
            System.gc();
            next.add(MPI.newByteBuffer(ELEMENTS * Integer.BYTES));
        }
        if (next.get(7).getInt(0) != 0) {
            throw new AssertionError("not cleared");
        }
    }
}
