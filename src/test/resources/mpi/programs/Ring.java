// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;
import mpi.*;
import others.*;

/** In the dialect of mpiJava; its arguments are words to print behind the sum of all ranks. */
public class Ring {
    private static final Info info = new Info();
    private static final Message message = new Message();
    private static final Version version = new Version();
    private static final Count count = new Count();
    private static final Win win = new Win();

    public static void main(String[] args) throws MPIException {
        String[] words = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] token = {rank};
        int[] sum = new int[1];
        Request request = MPI.COMM_WORLD.Irecv(token, 0, 1, MPI.INT, (rank + size - 1) % size, 3);
        MPI.COMM_WORLD.Send(new int[] {rank}, 0, 1, MPI.INT, (rank + 1) % size, 3);
        Status status = request.Wait();
        MPI.COMM_WORLD.Reduce(token, 0, sum, 0, 1, MPI.INT, MPI.SUM, 0);
        if (rank == 0) {
            System.out.println("upper " + sum[0] + " of " + size + " " + status.tag + " "
                    + Arrays.toString(args) + " " + Arrays.toString(words)
                    + new File("/").getName());
        }
        MPI.Finalize();
    }
}
