// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives the entries of a distributed vector that a rank needs from other ranks (its halo). The
 * constructor agrees once which rank needs which entries; then only those entries move, in one
 * message for each pair of ranks, packed in the symmetric heap. A vector here is an array of the
 * own entries followed by the halo in the order of its columns.
 */
final class HaloExchange implements AutoCloseable {
    private static final int PLAN = 0; // matching-area indices
    private static final int VALUES = 1;

    /** A message of each exchange: `count` doubles from `offset` on. */
    private record Message(int peer, int offset, int count, Span span) {}

    private final Fmpl fmpl;
    private final Stopwatch communication;
    private final int ownRows;
    private final int haloSize;
    private final HeapSpan outgoing;
    private final HeapSpan incoming;
    private final DoubleBuffer outgoingValues;
    private final DoubleBuffer incomingValues;
    private final Message[] sends;
    private final Message[] receives;
    private final int[] sentRows;
    private final Request[] requests;

    /**
     * Collective. `halo` are the columns this rank needs of others, ascending, so that those of one
     * owner stand together.
     */
    HaloExchange(Hayate job, Fmpl fmpl, RowPartition partition, int[] halo,
            Stopwatch communication) {
        this.fmpl = fmpl;
        this.communication = communication;
        ownRows = partition.count(job.rank());
        haloSize = halo.length;
        int[] wanted = countByOwner(partition, halo);
        int[] asked = exchangeCounts(job, wanted);
        sentRows = exchangeRows(job, halo, wanted, asked);
        toOwnIndices(partition.first(job.rank()));
        outgoing = job.allocate(Math.max(sentRows.length, 1) * (long) Double.BYTES);
        incoming = job.allocate(Math.max(halo.length, 1) * (long) Double.BYTES);
        outgoingValues = outgoing.doubles();
        incomingValues = incoming.doubles();
        sends = messages(outgoing, asked);
        receives = messages(incoming, wanted);
        requests = new Request[sends.length + receives.length];
    }

    int size() {
        return haloSize;
    }

    /** Posts the receives and sends the entries of `x` that others need. Allocates nothing. */
    void start(double[] x) {
        communication.start();
        int next = 0;
        for (Message receive : receives) {
            requests[next++] = fmpl.irecv(receive.span, receive.peer, VALUES);
        }
        for (Message send : sends) {
            for (int i = send.offset; i < send.offset + send.count; i++) {
                outgoingValues.put(i, x[sentRows[i]]);
            }
            requests[next++] = fmpl.isend(send.span, send.peer, VALUES);
        }
        communication.stop();
    }

    /** Waits for the messages and puts the halo behind the own entries of `x`. */
    void finish(double[] x) {
        communication.start();
        fmpl.waitAll(requests);
        incomingValues.get(0, x, ownRows, haloSize);
        communication.stop();
    }

    @Override
    public void close() {
        outgoing.close();
        incoming.close();
    }

    private static int[] countByOwner(RowPartition partition, int[] halo) {
        int[] counts = new int[partition.ranks()];
        for (int column : halo) {
            counts[partition.owner(column)]++;
        }
        return counts;
    }

    private int[] exchangeCounts(Hayate job, int[] wanted) {
        int[] asked = new int[job.size()];
        List<Request> open = new ArrayList<>();
        for (int rank = 0; rank < job.size(); rank++) {
            if (rank != job.rank()) {
                open.add(fmpl.irecv(Span.of(asked, rank, 1), rank, PLAN));
                open.add(fmpl.isend(Span.of(wanted, rank, 1), rank, PLAN));
            }
        }
        fmpl.waitAll(open.toArray(new Request[0]));
        return asked;
    }

    /** Tells each owner which of its rows are wanted; the rows that others want of this rank. */
    private int[] exchangeRows(Hayate job, int[] halo, int[] wanted, int[] asked) {
        int[] rows = new int[sum(asked)];
        List<Request> open = new ArrayList<>();
        int from = 0;
        int to = 0;
        for (int rank = 0; rank < job.size(); rank++) {
            if (asked[rank] > 0) {
                open.add(fmpl.irecv(Span.of(rows, to, asked[rank]), rank, PLAN));
            }
            if (wanted[rank] > 0) {
                open.add(fmpl.isend(Span.of(halo, from, wanted[rank]), rank, PLAN));
            }
            to += asked[rank];
            from += wanted[rank];
        }
        fmpl.waitAll(open.toArray(new Request[0]));
        return rows;
    }

    private void toOwnIndices(int firstRow) {
        for (int i = 0; i < sentRows.length; i++) {
            sentRows[i] -= firstRow;
            if (sentRows[i] < 0 || sentRows[i] >= ownRows) {
                throw new IllegalStateException("a rank asks for a row that is not of this rank");
            }
        }
    }

    private static Message[] messages(HeapSpan memory, int[] counts) {
        List<Message> messages = new ArrayList<>();
        int offset = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] > 0) {
                Span span = memory.slice(
                        (long) offset * Double.BYTES, (long) counts[rank] * Double.BYTES);
                messages.add(new Message(rank, offset, counts[rank], span));
                offset += counts[rank];
            }
        }
        return messages.toArray(new Message[0]);
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum = Math.addExact(sum, count);
        }
        return sum;
    }
}
