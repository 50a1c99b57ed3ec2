// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.Random;
import mpi.Comm;
import mpi.MPI;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** A receive of a program, and how it is done. Ranks are those of the world, or ANY. */
final class Receipt {
    /** Any source, or any tag. */
    static final int ANY = -1;

    enum Form {
        STARTED, PERSISTENT, BLOCKING, WAITED, PROBED, LOOKED, TAKEN, TAKEN_LOOKED, TAKEN_STARTED
    }

    final int source;
    final int tag;
    int room;
    Form form;
    private Shape shape;
    private Cell.Memory memory;
    private Cell cell;
    private Prequest persistent;
    /** What has come: its source in the world, its tag and its elements. */
    private int from;
    private int arrivedTag;
    private int count;

    Receipt(int source, int tag) {
        this.source = source;
        this.tag = tag;
    }

    boolean accepts(Letter letter) {
        return (source == ANY || source == letter.from) && (tag == ANY || tag == letter.tag);
    }

    /** Draws how it is done. blocks: its call may wait for the message. */
    void draw(Random random, boolean blocks, int room) {
        this.room = room;
        form = blocks ? Seeds.oneOf(random, Form.values())
                : Seeds.oneOf(random, Form.STARTED, Form.STARTED, Form.PERSISTENT);
        if (blocks && form.ordinal() < Form.BLOCKING.ordinal()) {
            form = Form.BLOCKING;
        }
        shape = Shape.draw(random, room);
        memory = Cell.Memory.draw(random, form != Form.STARTED && form != Form.PERSISTENT
                && form != Form.WAITED && form != Form.TAKEN_STARTED);
    }

    void prepare(Element element) {
        if (cell == null || form != Form.PERSISTENT) {
            cell = new Cell(element, shape, room, memory);
        }
        cell.fill(new byte[0]);
    }

    /** Posts it; for the forms that do not block. */
    Request post(Place place) {
        int rank = place.sourceOf(source);
        int tagged = tag == ANY ? MPI.ANY_TAG : tag;
        if (form == Form.STARTED || form == Form.WAITED) {
            return place.comm.iRecv(cell.buffer(), cell.items(), cell.type(), rank, tagged);
        }
        if (persistent == null) {
            persistent = place.comm.recvInit(cell.buffer(), cell.items(), cell.type(), rank,
                    tagged);
        }
        Prequest.startAll(new Prequest[] {persistent});
        return persistent;
    }

    /** Receives; for the forms that block. */
    void receive(Place place, Element element) {
        Comm comm = place.comm;
        int rank = place.sourceOf(source);
        int tagged = tag == ANY ? MPI.ANY_TAG : tag;
        switch (form) {
            case BLOCKING -> arrived(place, element, receive(comm, rank, tagged));
            case WAITED -> arrived(place, element, post(place).waitStatus());
            case PROBED, LOOKED -> {
                Status seen = form == Form.PROBED ? comm.probe(rank, tagged) : null;
                while (seen == null) {
                    seen = comm.iProbe(rank, tagged);
                }
                arrived(place, element, receive(comm, seen.getSource(), seen.getTag()));
                same(place, element, seen);
            }
            default -> {
                Message message = new Message();
                Status seen = form == Form.TAKEN_LOOKED ? null
                        : message.mProbe(rank, tagged, comm);
                while (seen == null) {
                    seen = message.imProbe(rank, tagged, comm);
                }
                Status status = form == Form.TAKEN_STARTED
                        ? message.imRecv(cell.buffer(), cell.items(), cell.type()).waitStatus()
                        : message.mRecv(cell.passed(), cell.items(), cell.type());
                arrived(place, element, status);
                same(place, element, seen);
            }
        }
    }

    private Status receive(Comm comm, int rank, int tagged) {
        return comm.recv(cell.passed(), cell.items(), cell.type(), rank, tagged);
    }

    void arrived(Place place, Element element, Status status) {
        from = place.world(status.getSource());
        arrivedTag = status.getTag();
        count = status.getCount(element.type());
        Trouble.unless(!status.isCancelled(), "%s was cancelled", this);
    }

    /** A receive gets the message that its probe has seen. */
    private void same(Place place, Element element, Status seen) {
        Trouble.unless(place.world(seen.getSource()) == from && seen.getTag() == arrivedTag
                && seen.getCount(element.type()) == count, "%s is not what its probe saw: rank %d,"
                + " tag %d, %d elements", this, place.world(seen.getSource()), seen.getTag(),
                seen.getCount(element.type()));
    }

    /** Whether this message may be what has come. */
    boolean got(Letter letter, byte[] data) {
        return letter.from == from && letter.tag == arrivedTag && letter.count == count
                && accepts(letter) && cell.has(data);
    }

    byte[] data() {
        return cell.data(count);
    }

    void free() {
        if (persistent != null) {
            persistent.free();
        }
    }

    @Override
    public String toString() {
        return form + " receive (" + shape + ", " + memory + ") from " + source + ", tag " + tag
                + ", room for " + room
                + ", which got " + count + " elements from " + from + ", tag " + arrivedTag;
    }
}
