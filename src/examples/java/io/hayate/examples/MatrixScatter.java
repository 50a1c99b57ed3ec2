// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Rank 0 reads a matrix and gives each rank its block of rows. An error on rank 0 is reported to
 * all ranks before they wait for rows, so that all end with the same message.
 */
final class MatrixScatter {
    private static final int ROWS = 0; // matching-area index
    private static final int STATUS_WORDS = 3;

    private final Hayate job;
    private final Fmpl fmpl;

    MatrixScatter(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
    }

    /** Collective. Only rank 0 looks at the file. */
    RowBlock read(Path file) throws MatrixMarketException {
        if (job.rank() != 0) {
            return receive();
        }
        CsrMatrix matrix;
        try {
            matrix = MatrixMarket.read(file);
        } catch (MatrixMarketException e) {
            tellFailure(e.getMessage());
            throw e;
        }
        return share(matrix);
    }

    private void tellFailure(String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        fmpl.bcast(Span.of(new long[] {0, 0, text.length}), 0);
        fmpl.bcast(Span.of(text), 0);
    }

    private RowBlock share(CsrMatrix matrix) {
        int[] pointers = matrix.rowPointers();
        fmpl.bcast(Span.of(new long[] {matrix.rows(), matrix.nonzeros(), 0}), 0);
        RowPartition partition =
                RowPartition.balanced(matrix.rows(), job.size(), row -> pointers[row]);
        fmpl.bcast(Span.of(partition.starts()), 0);
        for (int rank = 1; rank < job.size(); rank++) {
            if (partition.count(rank) > 0) {
                send(matrix, partition, rank);
            }
        }
        return block(partition, matrix.nonzeros(), ownRows(matrix, partition.count(0)));
    }

    private void send(CsrMatrix matrix, RowPartition partition, int rank) {
        int first = partition.first(rank);
        int rows = partition.count(rank);
        int from = matrix.rowPointers()[first];
        int nonzeros = matrix.rowPointers()[first + rows] - from;
        fmpl.send(Span.of(matrix.rowPointers(), first, rows + 1), rank, ROWS);
        fmpl.send(Span.of(matrix.columns(), from, nonzeros), rank, ROWS);
        fmpl.send(Span.of(matrix.values(), from, nonzeros), rank, ROWS);
    }

    private RowBlock receive() throws MatrixMarketException {
        long[] status = new long[STATUS_WORDS];
        fmpl.bcast(Span.of(status), 0);
        if (status[0] == 0) {
            byte[] text = new byte[(int) status[2]];
            fmpl.bcast(Span.of(text), 0);
            throw new MatrixMarketException(new String(text, StandardCharsets.UTF_8));
        }
        int[] starts = new int[job.size() + 1];
        fmpl.bcast(Span.of(starts), 0);
        RowPartition partition = new RowPartition(starts);
        return block(partition, status[1], receiveRows(partition.count(job.rank())));
    }

    private CsrMatrix receiveRows(int rows) {
        int[] pointers = new int[rows + 1];
        if (rows == 0) {
            return new CsrMatrix(pointers, new int[0], new double[0]);
        }
        fmpl.recv(Span.of(pointers), 0, ROWS);
        int from = pointers[0];
        for (int i = 0; i <= rows; i++) {
            pointers[i] -= from;
        }
        int[] columns = new int[pointers[rows]];
        double[] values = new double[pointers[rows]];
        fmpl.recv(Span.of(columns), 0, ROWS);
        fmpl.recv(Span.of(values), 0, ROWS);
        return new CsrMatrix(pointers, columns, values);
    }

    /** A copy, so that rank 0 does not keep the rows of the others. */
    private static CsrMatrix ownRows(CsrMatrix matrix, int rows) {
        int nonzeros = matrix.rowPointers()[rows];
        return new CsrMatrix(Arrays.copyOf(matrix.rowPointers(), rows + 1),
                Arrays.copyOf(matrix.columns(), nonzeros),
                Arrays.copyOf(matrix.values(), nonzeros));
    }

    private RowBlock block(RowPartition partition, long nonzeros, CsrMatrix rows) {
        return new RowBlock(partition, job.rank(), nonzeros, rows);
    }
}
