// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.Random;
import mpi.Comm;
import mpi.Prequest;
import mpi.Request;

/** A message of a program, and how it is sent. Ranks are those of the world. */
final class Letter {
    enum Mode {
        STANDARD, BUFFERED, SYNCHRONOUS, READY
    }

    enum Form {
        BLOCKING, STARTED, PERSISTENT
    }

    /** Longer ones are not buffered, so that the memory for all is bounded. */
    static final int MOST_BUFFERED = 16 << 10;

    final int number;
    final int from;
    final int to;
    final int tag;
    final int count;
    Mode mode = Mode.STANDARD;
    Form form = Form.STARTED;
    private Shape shape;
    private Cell.Memory memory;
    private Cell cell;
    private Prequest persistent;

    Letter(int number, int from, int to, int tag, int count) {
        this.number = number;
        this.from = from;
        this.to = to;
        this.tag = tag;
        this.count = count;
    }

    /** Draws how it is sent. waits: a send may wait for its receive. */
    void draw(Random random, Element element, boolean waits, boolean buffers, boolean ready) {
        if (ready) {
            mode = Seeds.oneOf(random, Mode.READY, Mode.READY, Mode.STANDARD);
        } else if (Seeds.percent(random, 40)) {
            mode = Seeds.oneOf(random, Mode.BUFFERED, Mode.SYNCHRONOUS);
        }
        if (mode == Mode.BUFFERED && (!buffers || count * element.bytes > MOST_BUFFERED)) {
            mode = Mode.STANDARD;
        }
        form = Seeds.oneOf(random, Form.BLOCKING, Form.STARTED, Form.STARTED, Form.PERSISTENT);
        if (form == Form.BLOCKING && !waits && mode != Mode.BUFFERED) {
            form = Form.STARTED;
        }
        shape = Shape.draw(random, count);
        memory = Cell.Memory.draw(random, form == Form.BLOCKING);
    }

    void prepare(Element element, byte[] data) {
        if (cell == null || form != Form.PERSISTENT) {
            cell = new Cell(element, shape, count, memory);
        }
        cell.fill(data);
    }

    /** Sends it; returns the request, or null if it is sent. */
    Request send(Place place) {
        return switch (form) {
            case BLOCKING -> sendNow(place.comm, place.rankOf(to));
            case STARTED -> start(place.comm, place.rankOf(to));
            case PERSISTENT -> mode == Mode.BUFFERED && RandomProgram.underOpenMpi()
                    ? start(place.comm, place.rankOf(to)) // its second start sends the first data
                    : startAgain(place.comm, place.rankOf(to));
        };
    }

    private Request sendNow(Comm comm, int dest) {
        switch (mode) {
            case STANDARD -> comm.send(cell.passed(), cell.items(), cell.type(), dest, tag);
            case BUFFERED -> comm.bSend(cell.passed(), cell.items(), cell.type(), dest, tag);
            case SYNCHRONOUS -> comm.sSend(cell.passed(), cell.items(), cell.type(), dest, tag);
            case READY -> comm.rSend(cell.passed(), cell.items(), cell.type(), dest, tag);
        }
        return null;
    }

    private Request start(Comm comm, int dest) {
        return switch (mode) {
            case STANDARD -> comm.iSend(cell.buffer(), cell.items(), cell.type(), dest, tag);
            case BUFFERED -> comm.ibSend(cell.buffer(), cell.items(), cell.type(), dest, tag);
            case SYNCHRONOUS -> comm.isSend(cell.buffer(), cell.items(), cell.type(), dest, tag);
            case READY -> comm.irSend(cell.buffer(), cell.items(), cell.type(), dest, tag);
        };
    }

    private Request startAgain(Comm comm, int dest) {
        if (persistent == null) {
            persistent = switch (mode) {
                case STANDARD -> comm.sendInit(cell.buffer(), cell.items(), cell.type(), dest, tag);
                case BUFFERED ->
                    comm.bSendInit(cell.buffer(), cell.items(), cell.type(), dest, tag);
                case SYNCHRONOUS ->
                    comm.sSendInit(cell.buffer(), cell.items(), cell.type(), dest, tag);
                case READY -> comm.rSendInit(cell.buffer(), cell.items(), cell.type(), dest, tag);
            };
        }
        persistent.start();
        return persistent;
    }

    void free() {
        if (persistent != null) {
            persistent.free();
        }
    }

    @Override
    public String toString() {
        return "#" + number + " from " + from + " to " + to + ", tag " + tag + ", " + count
                + " elements, " + form + " " + mode;
    }
}
