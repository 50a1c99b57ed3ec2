// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import io.hayate.Request;

/** Fills the ghosts at both ends of x or y: layers of points, those along z in lines. */
final class LuHalo {
    private static final int UPWARDS = 2; // matching-area indices; those below are LuPipe's
    private static final int DOWNWARDS = 3;

    private final NasJob job;
    private final LuPatch layer;
    private final int pitch;
    private final int first; // of the points of layer 0, a ghost
    private final int own;
    private final End lower;
    private final End upper;
    private final Request[] requests = new Request[4];

    private record End(int rank, Doubles incoming, Doubles outgoing) {}

    LuHalo(NasJob job, LuRanks ranks, LuBox box, int axis) {
        this.job = job;
        int across = 1 - axis;
        layer = new LuPatch(box.z().own(), box.pitch(2), box.axis(across).own(), box.pitch(across));
        pitch = box.pitch(axis);
        first = LuAxis.GHOSTS * (box.pitch(2) + box.pitch(across));
        own = box.axis(axis).own();
        lower = end(ranks.neighbour(axis, -1));
        upper = end(ranks.neighbour(axis, 1));
    }

    private End end(int rank) {
        int count = rank == Fmpl.NO_RANK ? 0 : LuAxis.GHOSTS * layer.count();
        return new End(rank, job.buffers().doubles(count), job.buffers().doubles(count));
    }

    void exchange(double[][] fields) {
        job.communication().start();
        requests[0] = job.fmpl().irecv(lower.incoming.span(), lower.rank, UPWARDS);
        requests[1] = job.fmpl().irecv(upper.incoming.span(), upper.rank, DOWNWARDS);
        job.communication().stop();
        pack(fields, lower, LuAxis.GHOSTS);
        pack(fields, upper, own);
        job.communication().start();
        requests[2] = job.fmpl().isend(lower.outgoing.span(), lower.rank, DOWNWARDS);
        requests[3] = job.fmpl().isend(upper.outgoing.span(), upper.rank, UPWARDS);
        job.fmpl().waitAll(requests);
        job.communication().stop();
        unpack(lower, fields, 0);
        unpack(upper, fields, LuAxis.GHOSTS + own);
    }

    private void pack(double[][] fields, End end, int from) {
        for (int i = 0; end.rank != Fmpl.NO_RANK && i < LuAxis.GHOSTS; i++) {
            layer.pack(fields, first + (from + i) * pitch, end.outgoing.values(),
                    i * layer.count());
        }
    }

    private void unpack(End end, double[][] fields, int to) {
        for (int i = 0; end.rank != Fmpl.NO_RANK && i < LuAxis.GHOSTS; i++) {
            layer.unpack(end.incoming.values(), i * layer.count(), fields,
                    first + (to + i) * pitch);
        }
    }
}
