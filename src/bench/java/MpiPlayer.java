/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.file.Path;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Messages and collectives of the package mpi, as a player of the referee (see ../README.md). The
 * same class files run over Open MPI's Java binding and over Hayate. Arguments: NAME FOLDER PLAYER;
 * the series are NAME-direct and NAME-array.
 */
public final class MpiPlayer implements Player.Library {
    private final Intracomm world = MPI.COMM_WORLD;
    private final String name;

    private MpiPlayer(String name) {
        this.name = name;
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        try {
            new Player(new MpiPlayer(args[0])).play(Path.of(args[1]), args[2]);
        } catch (Throwable e) {
            e.printStackTrace();
            MPI.COMM_WORLD.abort(1);
        }
        MPI.Finalize();
    }

    @Override
    public int rank() throws MPIException {
        return world.getRank();
    }

    @Override
    public int size() throws MPIException {
        return world.getSize();
    }

    @Override
    public void barrier() throws MPIException {
        world.barrier();
    }

    @Override
    public int agree(int number) throws MPIException {
        int[] agreed = {number};
        world.bcast(agreed, 1, MPI.INT, 0);
        return agreed[0];
    }

    @Override
    public List<String> series() {
        return List.of(name + "-direct", name + "-array");
    }

    @Override
    public List<String> operations() {
        return List.of("pingpong", "rate", "farm", "allreduce", "bcast", "alltoall", "barrier");
    }

    @Override
    public Player.Call open(String series, String operation, int bytes) throws MPIException {
        String buffers = series.substring(name.length() + 1);
        return MpiCalls.of(operation, buffers, Math.max(bytes, Double.BYTES));
    }
}
