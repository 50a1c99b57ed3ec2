// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Neighborhood;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * Conjugate gradients for the five-point Poisson matrix of a square, whose solution is 1
 * everywhere. Each member of a communicator has some lines of the square. All that the iteration
 * needs is in {@link #state()}, so a copy of that is enough to go on elsewhere.
 */
final class LineGradient {
    /** Vectors of the state: x, r, p. */
    static final int VECTORS = 3;

    private final Communicator comm;
    private final int side;
    private final int first;
    private final int count;
    private final Neighborhood neighbours;
    private final double[] state;
    private final int x;
    private final int r;
    private final int p;
    private final double[] halo; // the line above the own ones, the line below
    private final double[] edges; // what the neighbours get: the first own line, the last
    private final double[] product;
    private final double[] sum = new double[1];

    /** Collective. */
    LineGradient(Communicator comm, int side) {
        this.comm = comm;
        this.side = side;
        int rank = comm.rank();
        int size = comm.size();
        first = first(side, rank, size);
        count = first(side, rank + 1, size) - first;
        int above = rank == 0 ? Fmpl.NO_RANK : rank - 1;
        int below = rank == size - 1 ? Fmpl.NO_RANK : rank + 1;
        neighbours = comm.neighbors(new int[] {above, below}, new int[] {above, below});
        int points = count * side;
        state = new double[VECTORS * points];
        x = 0;
        r = points;
        p = 2 * points;
        halo = new double[2 * side];
        edges = new double[2 * side];
        product = new double[points];
    }

    /** The first line of a member. */
    static int first(int side, int rank, int size) {
        return (int) ((long) side * rank / size);
    }

    /** Begins with x = 0: r = p = b, which is A times 1. Returns r.r. Collective. */
    double begin() {
        for (int i = 0; i < product.length; i++) {
            int line = first + i / side;
            int column = i % side;
            int neighboursInside = (line > 0 ? 1 : 0) + (line < side - 1 ? 1 : 0)
                    + (column > 0 ? 1 : 0) + (column < side - 1 ? 1 : 0);
            state[r + i] = 4 - neighboursInside;
            state[p + i] = state[r + i];
        }
        return dot(r, state, r);
    }

    /** This member's part of x, r and p, one behind the other, to read and to replace. */
    double[] state() {
        return state;
    }

    /** One iteration from r.r; returns the next one. Collective. */
    double step(double rho) {
        multiply();
        double alpha = rho / dot(p, product, 0);
        for (int i = 0; i < product.length; i++) {
            state[x + i] += alpha * state[p + i];
            state[r + i] -= alpha * product[i];
        }
        double next = dot(r, state, r);
        for (int i = 0; i < product.length; i++) {
            state[p + i] = state[r + i] + next / rho * state[p + i];
        }
        return next;
    }

    /** The largest distance of a point of x from 1. Collective. */
    double error() {
        sum[0] = 0;
        for (int i = 0; i < product.length; i++) {
            sum[0] = Math.max(sum[0], Math.abs(state[x + i] - 1));
        }
        comm.allreduce(Span.of(sum), Reduction.DOUBLE_MAX);
        return sum[0];
    }

    private double dot(int left, double[] other, int right) {
        sum[0] = 0;
        for (int i = 0; i < product.length; i++) {
            sum[0] += state[left + i] * other[right + i];
        }
        comm.allreduce(Span.of(sum), Reduction.DOUBLE_SUM);
        return sum[0];
    }

    /** product = A p. */
    private void multiply() {
        System.arraycopy(state, p, edges, 0, side);
        System.arraycopy(state, p + (count - 1) * side, edges, side, side);
        neighbours.alltoall(Span.of(edges), Span.of(halo));
        for (int i = 0; i < product.length; i++) {
            int column = i % side;
            double above = i < side ? halo[column] : state[p + i - side];
            double below = i >= product.length - side ? halo[side + column] : state[p + i + side];
            double left = column == 0 ? 0 : state[p + i - 1];
            double right = column == side - 1 ? 0 : state[p + i + 1];
            product[i] = 4 * state[p + i] - above - below - left - right;
        }
    }
}
