// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.Stopwatch;

/** The layers of ghosts on one side that belong to a neighbour, and what it needs for its own. */
final class LuHalo {
    private static final int TAG = 2; // those below are LuPipe's

    private final Stopwatch communication;
    private final LuPatch layer;
    private final int pitch; // from layer to layer
    private final int ghosts; // where the first point of the first of those begins
    private final int own;
    private final Doubles incoming;
    private final Doubles outgoing;
    private final Transfer receive;
    private final Transfer send;

    /** On the upper (`direction` 1) or the lower side (-1) of x (0) or y (1). */
    LuHalo(NasJob job, LuRanks ranks, LuBox box, int axis, int direction) {
        communication = job.communication();
        int neighbour = ranks.neighbour(axis, direction);
        int across = 1 - axis;
        layer = new LuPatch(box.z().own(), box.pitch(2), box.axis(across).own(), box.pitch(across));
        pitch = box.pitch(axis);
        int origin = LuAxis.GHOSTS * (box.pitch(2) + box.pitch(across));
        int count = box.axis(axis).own();
        ghosts = origin + (direction > 0 ? LuAxis.GHOSTS + count : 0) * pitch;
        own = origin + (direction > 0 ? count : LuAxis.GHOSTS) * pitch;
        incoming = job.doubles(LuAxis.GHOSTS * layer.count());
        outgoing = job.doubles(LuAxis.GHOSTS * layer.count());
        receive = job.library().receive(incoming.all(), neighbour, TAG);
        send = job.library().send(outgoing.all(), neighbour, TAG);
    }

    /** Posts the receive. */
    void begin() {
        communication.start();
        receive.start();
        communication.stop();
    }

    void send(double[][] fields) {
        for (int i = 0; i < LuAxis.GHOSTS; i++) {
            layer.pack(fields, own + i * pitch, outgoing.values(), i * layer.count());
        }
        communication.start();
        send.start();
        communication.stop();
    }

    /** Fills the ghosts. */
    void end(double[][] fields) {
        communication.start();
        receive.await();
        send.await();
        communication.stop();
        for (int i = 0; i < LuAxis.GHOSTS; i++) {
            layer.unpack(incoming.values(), i * layer.count(), fields, ghosts + i * pitch);
        }
    }
}
