/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** What MpiPlayer measures, as each rank performs it. */
abstract class MpiCalls implements Player.Call {
    final Intracomm world = MPI.COMM_WORLD;
    final int rank;
    final int ranks;

    MpiCalls() throws MPIException {
        rank = world.getRank();
        ranks = world.getSize();
    }

    /** Returns how far the data that came are off. */
    abstract double call(int turn) throws MPIException;

    /** Whole data. */
    abstract boolean works() throws MPIException;

    @Override
    public boolean run(int turn) throws MPIException {
        return call(turn) == 0;
    }

    @Override
    public void check() throws MPIException {
        world.barrier();
        if (!works()) {
            throw new IllegalStateException("wrong data in " + getClass().getName());
        }
        world.barrier();
    }

    @Override
    public void close() throws MPIException {}

    /** Null: there is no such operation, or not with these buffers or ranks. */
    static MpiCalls of(String operation, String buffers, int bytes) throws MPIException {
        boolean pair = MPI.COMM_WORLD.getSize() == 2;
        boolean direct = buffers.equals("direct");
        return switch (operation) {
            case "pingpong" -> pair ? new PingPong(buffers, bytes) : null;
            case "rate" -> pair && direct ? new Rate(bytes) : null;
            case "put" -> pair && direct ? new Put(bytes) : null;
            case "farm" -> direct ? new Farm() : null;
            case "allreduce" -> new Allreduce(buffers, bytes);
            case "bcast" -> new Bcast(buffers, bytes);
            case "alltoall" -> new Alltoall(buffers, bytes);
            case "barrier" -> direct ? new Barrier() : null;
            default -> null;
        };
    }

    private static LineData data(String buffers, int bytes) {
        return LineData.of(buffers, bytes, MPI::newByteBuffer);
    }

    private static final class PingPong extends MpiCalls {
        private final LineData in;
        private final LineData out;

        PingPong(String buffers, int bytes) throws MPIException {
            in = data(buffers, bytes);
            out = data(buffers, bytes);
        }

        private void send() throws MPIException {
            world.send(out.memory(), out.count(), MPI.DOUBLE, 1 - rank, 0);
        }

        private void receive() throws MPIException {
            world.recv(in.memory(), in.count(), MPI.DOUBLE, 1 - rank, 0);
        }

        @Override
        double call(int turn) throws MPIException {
            double off = 0;
            if (rank == 0) {
                out.write(turn);
                send();
                receive();
                off = in.read(turn, 1);
            } else if (rank == 1) {
                receive();
                off = in.read(turn, 1);
                out.write(turn);
                send();
            }
            return off;
        }

        @Override
        boolean works() throws MPIException {
            out.fill(rank);
            in.fill(-1);
            if (rank == 0) {
                send();
                receive();
            } else {
                receive();
                send();
            }
            return in.holds(1, 1 - rank);
        }
    }

    /** Windows of 64 messages in one direction, with an answer after each window. */
    private static final class Rate extends MpiCalls {
        private static final int WINDOW = 64;

        private final ByteBuffer[] data = new ByteBuffer[WINDOW];
        private final ByteBuffer answer = MPI.newByteBuffer(Long.BYTES);
        private final Request[] requests = new Request[WINDOW];

        Rate(int bytes) throws MPIException {
            for (int i = 0; i < WINDOW; i++) {
                data[i] = MPI.newByteBuffer(bytes).order(ByteOrder.nativeOrder());
            }
        }

        @Override
        double call(int turn) throws MPIException {
            int bytes = data[0].capacity();
            double off = 0;
            if (rank == 0) {
                for (int i = 0; i < WINDOW; i++) {
                    data[i].putDouble(0, turn + i);
                    requests[i] = world.iSend(data[i], bytes, MPI.BYTE, 1, 0);
                }
                Request.waitAll(requests);
                world.recv(answer, 1, MPI.LONG, 1, 1);
            } else if (rank == 1) {
                for (int i = 0; i < WINDOW; i++) {
                    requests[i] = world.iRecv(data[i], bytes, MPI.BYTE, 0, 0);
                }
                Request.waitAll(requests);
                for (int i = 0; i < WINDOW; i++) {
                    off += Math.abs(data[i].getDouble(0) - turn - i);
                }
                world.send(answer, 1, MPI.LONG, 0, 1);
            }
            return off;
        }

        @Override
        boolean works() throws MPIException {
            return call(3) == 0;
        }
    }

    /** The sum of all. */
    private static final class Allreduce extends MpiCalls {
        private final LineData in;
        private final LineData out;

        Allreduce(String buffers, int bytes) throws MPIException {
            in = data(buffers, bytes);
            out = data(buffers, bytes);
        }

        private void sum() throws MPIException {
            world.allReduce(in.memory(), out.memory(), in.count(), MPI.DOUBLE, MPI.SUM);
        }

        @Override
        double call(int turn) throws MPIException {
            in.write(turn);
            sum();
            return out.read(turn, ranks);
        }

        @Override
        boolean works() throws MPIException {
            in.fill(rank);
            sum();
            return out.holds(ranks, ranks * (ranks - 1) / 2);
        }
    }

    private static final class Bcast extends MpiCalls {
        private final LineData data;

        Bcast(String buffers, int bytes) throws MPIException {
            data = data(buffers, bytes);
        }

        @Override
        double call(int turn) throws MPIException {
            if (rank == 0) {
                data.write(turn);
            }
            world.bcast(data.memory(), data.count(), MPI.DOUBLE, 0);
            return rank == 0 ? 0 : data.read(turn, 1);
        }

        @Override
        boolean works() throws MPIException {
            data.fill(rank);
            world.bcast(data.memory(), data.count(), MPI.DOUBLE, 0);
            return data.holds(1, 0);
        }
    }

    /** {@code bytes} for each rank. */
    private static final class Alltoall extends MpiCalls {
        private final LineData in;
        private final LineData out;
        private final int count;

        Alltoall(String buffers, int bytes) throws MPIException {
            in = data(buffers, bytes * ranks);
            out = data(buffers, bytes * ranks);
            count = bytes / Double.BYTES;
        }

        private void exchange() throws MPIException {
            world.allToAll(out.memory(), count, MPI.DOUBLE, in.memory(), count, MPI.DOUBLE);
        }

        /** All ranks write the same into each block, so that each has got what all wrote. */
        @Override
        double call(int turn) throws MPIException {
            double off = 0;
            for (int block = 0; block < out.count(); block += count) {
                for (int i = 0; i < count; i += LineData.LINE / Double.BYTES) {
                    out.set(block + i, turn + i);
                }
            }
            exchange();
            for (int block = 0; block < in.count(); block += count) {
                for (int i = 0; i < count; i += LineData.LINE / Double.BYTES) {
                    off += Math.abs(in.get(block + i) - turn - i);
                }
            }
            return off;
        }

        @Override
        boolean works() throws MPIException {
            boolean works = true;
            out.fill(rank);
            exchange();
            for (int i = 0; i < in.count(); i++) {
                int from = i / count;
                works &= in.get(i) == (rank * count + i % count) * 7.0 + from;
            }
            return works;
        }
    }

    private static final class Barrier extends MpiCalls {
        Barrier() throws MPIException {}

        @Override
        double call(int turn) throws MPIException {
            world.barrier();
            return 0;
        }

        @Override
        boolean works() throws MPIException {
            world.barrier();
            return true;
        }
    }

    /** Rank 0 answers whoever sends, as often as there are others. */
    private static final class Farm extends MpiCalls {
        private final ByteBuffer data =
                MPI.newByteBuffer(Long.BYTES).order(ByteOrder.nativeOrder());

        Farm() throws MPIException {}

        @Override
        double call(int turn) throws MPIException {
            double off = 0;
            if (rank > 0) {
                data.putLong(0, turn * (long) rank);
                world.send(data, 1, MPI.LONG, 0, 0);
                world.recv(data, 1, MPI.LONG, 0, 0);
                off = Math.abs(data.getLong(0) - turn * 3L - rank);
            }
            for (int i = 1; rank == 0 && i < ranks; i++) {
                int worker = world.recv(data, 1, MPI.LONG, MPI.ANY_SOURCE, 0).getSource();
                off += Math.abs(data.getLong(0) % worker);
                data.putLong(0, data.getLong(0) / worker * 3 + worker);
                world.send(data, 1, MPI.LONG, worker, 0);
            }
            return off;
        }

        @Override
        boolean works() throws MPIException {
            return call(7) == 0;
        }
    }

    /** Rank 0 puts into rank 1, which does not look, and flushes. */
    private static final class Put extends MpiCalls {
        private final ByteBuffer window;
        private final ByteBuffer out;
        private final Win win;

        Put(int bytes) throws MPIException {
            window = MPI.newByteBuffer(bytes).order(ByteOrder.nativeOrder());
            out = MPI.newByteBuffer(bytes).order(ByteOrder.nativeOrder());
            win = new Win(window, bytes, 1, MPI.INFO_NULL, world);
            win.lockAll(0);
        }

        @Override
        double call(int turn) throws MPIException {
            if (rank == 0) {
                out.putDouble(0, turn);
                win.put(out, out.capacity(), MPI.BYTE, 1, 0, out.capacity(), MPI.BYTE);
                win.flush(1);
            }
            return 0;
        }

        @Override
        boolean works() throws MPIException {
            call(5);
            world.barrier();
            win.sync();
            return rank != 1 || window.getDouble(0) == 5;
        }

        @Override
        public void close() throws MPIException {
            win.unlockAll();
            win.free();
        }
    }
}
