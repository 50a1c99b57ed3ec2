/* SPDX-License-Identifier: Apache-2.0 */
import io.hayate.AnySource;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What MpiPlayer measures, over Fmpl: what the package mpi costs over Hayate's own API. Arguments:
 * FOLDER PLAYER.
 */
public final class FmplPlayer implements Player.Library {
    private static final int MAI = 0;

    private final Hayate job;
    private final Fmpl fmpl;
    /** Made once: the warm-up opens a farm many times. */
    private final AnySource workers;

    private FmplPlayer(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
        workers = job.rank() == 0 ? fmpl.anySource(MAI) : null;
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            new Player(new FmplPlayer(job, fmpl)).play(Path.of(args[0]), args[1]);
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
        fmpl.bcast(Span.of(agreed), 0);
        return agreed[0];
    }

    @Override
    public List<String> series() {
        return List.of("fmpl-direct", "fmpl-array");
    }

    @Override
    public List<String> operations() {
        return List.of("pingpong", "farm", "allreduce", "bcast", "barrier");
    }

    @Override
    public Player.Call open(String series, String operation, int bytes) {
        String buffers = series.substring("fmpl-".length());
        boolean direct = buffers.equals("direct");
        int size = Math.max(bytes, Double.BYTES);
        return switch (operation) {
            case "pingpong" -> job.size() == 2 ? new PingPong(buffers, size) : null;
            case "farm" -> direct ? new Farm() : null;
            case "allreduce" -> new Allreduce(buffers, size);
            case "bcast" -> new Bcast(buffers, size);
            case "barrier" -> direct ? new Barrier() : null;
            default -> null;
        };
    }

    private static Span spanOf(LineData data) {
        return data.memory() instanceof double[] array ? Span.of(array)
                : Span.of((ByteBuffer) data.memory());
    }

    /** Takes its memory where MPI.newByteBuffer takes it, too, and gives it back. */
    private abstract class FmplCall implements Player.Call {
        private final List<HeapSpan> taken = new ArrayList<>();

        LineData data(String buffers, int bytes) {
            return LineData.of(buffers, bytes, size -> {
                taken.add(job.allocate(size));
                return taken.get(taken.size() - 1).buffer();
            });
        }

        @Override
        public void check() {}

        @Override
        public void close() {
            taken.forEach(HeapSpan::close);
        }
    }

    private static void complainIf(boolean wrong) {
        if (wrong) {
            throw new IllegalStateException("wrong data");
        }
    }

    private final class PingPong extends FmplCall {
        private final LineData in;
        private final LineData out;
        private final Span received;
        private final Span sent;

        PingPong(String buffers, int bytes) {
            in = data(buffers, bytes);
            out = data(buffers, bytes);
            received = spanOf(in);
            sent = spanOf(out);
        }

        @Override
        public boolean run(int turn) {
            double off;
            if (job.rank() == 0) {
                out.write(turn);
                fmpl.send(sent, 1, MAI);
                fmpl.recv(received, 1, MAI);
                off = in.read(turn, 1);
            } else {
                fmpl.recv(received, 0, MAI);
                off = in.read(turn, 1);
                out.write(turn);
                fmpl.send(sent, 0, MAI);
            }
            return off == 0;
        }

        @Override
        public void check() {
            out.fill(job.rank());
            in.fill(-1);
            if (job.rank() == 0) {
                fmpl.send(sent, 1, MAI);
                fmpl.recv(received, 1, MAI);
            } else {
                fmpl.recv(received, 0, MAI);
                fmpl.send(sent, 0, MAI);
            }
            complainIf(!in.holds(1, 1 - job.rank()));
        }
    }

    private final class Farm extends FmplCall {
        private final ByteBuffer data = ByteBuffer.allocateDirect(Long.BYTES)
                .order(ByteOrder.nativeOrder());
        private final Span span = Span.of(data);

        @Override
        public boolean run(int turn) {
            double off = 0;
            if (job.rank() > 0) {
                data.putLong(0, turn * (long) job.rank());
                fmpl.send(span, 0, MAI);
                fmpl.recv(span, 0, MAI);
                off = Math.abs(data.getLong(0) - turn * 3L - job.rank());
            }
            for (int i = 1; job.rank() == 0 && i < job.size(); i++) {
                int worker = workers.recv(span);
                off += Math.abs(data.getLong(0) % worker);
                data.putLong(0, data.getLong(0) / worker * 3 + worker);
                fmpl.send(span, worker, MAI);
            }
            return off == 0;
        }
    }

    private final class Allreduce extends FmplCall {
        private final LineData data;
        private final Span span;

        Allreduce(String buffers, int bytes) {
            data = data(buffers, bytes);
            span = spanOf(data);
        }

        @Override
        public boolean run(int turn) {
            data.write(turn);
            fmpl.allreduce(span, Reduction.DOUBLE_SUM);
            return data.read(turn, job.size()) == 0;
        }

        @Override
        public void check() {
            data.fill(job.rank());
            fmpl.allreduce(span, Reduction.DOUBLE_SUM);
            complainIf(!data.holds(job.size(), job.size() * (job.size() - 1) / 2.0));
            for (int i = 0; i < data.count(); i++) {
                data.set(i, 0); // what no turn writes stays 0
            }
        }
    }

    private final class Bcast extends FmplCall {
        private final LineData data;
        private final Span span;

        Bcast(String buffers, int bytes) {
            data = data(buffers, bytes);
            span = spanOf(data);
        }

        @Override
        public boolean run(int turn) {
            if (job.rank() == 0) {
                data.write(turn);
            }
            fmpl.bcast(span, 0);
            return job.rank() == 0 || data.read(turn, 1) == 0;
        }

        @Override
        public void check() {
            data.fill(job.rank());
            fmpl.bcast(span, 0);
            complainIf(!data.holds(1, 0));
        }
    }

    private final class Barrier extends FmplCall {
        @Override
        public boolean run(int turn) {
            fmpl.barrier();
            return true;
        }
    }
}
