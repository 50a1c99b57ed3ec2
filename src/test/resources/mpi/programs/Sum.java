// SPDX-License-Identifier: Apache-2.0
import java.nio.IntBuffer;
import mpi.MPI;
import mpi.MPIException;

/** In the dialect of Open MPI. */
public class Sum {
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        IntBuffer sum = MPI.newIntBuffer(1);
        sum.put(0, rank);
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        if (rank == 0) {
            System.out.println("lower " + sum.get(0) + " of " + MPI.COMM_WORLD.getSize());
        }
        MPI.Finalize();
    }
}
