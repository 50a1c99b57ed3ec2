// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Minimises a smooth function by the limited-memory BFGS method (Nocedal and Wright, Numerical
 * Optimization, algorithm 7.5) with a backtracking line search. It only does arithmetic on what the
 * function returns, so ranks that get the same bits take the same steps.
 */
final class Lbfgs {
    private static final int MEMORY = 10;
    private static final double SUFFICIENT = 1e-4;
    private static final int MOST_HALVINGS = 40;

    /** What is minimised. */
    interface Loss {
        /** Returns the value at x, and stores the gradient. */
        double at(double[] x, double[] gradient);
    }

    /** A step, the change of the gradient over it, and 1 / their product. */
    private record Change(double[] step, double[] gradient, double rho) { }

    private final Loss loss;
    private final ArrayDeque<Change> changes = new ArrayDeque<>(); // the latest first
    private double[] x;
    private double[] gradient;
    private double value;
    private int evaluations;

    private Lbfgs(Loss loss, double[] start) {
        this.loss = loss;
        x = start;
        gradient = new double[start.length];
        value = evaluate(x, gradient);
    }

    /** Where the method ended, and how often it has evaluated the function. */
    record Minimum(double[] x, double value, int evaluations) implements java.io.Serializable { }

    /** Ends after so many iterations, or when the gradient's norm is at most the tolerance. */
    static Minimum minimise(Loss loss, double[] start, int iterations, double tolerance) {
        Lbfgs method = new Lbfgs(loss, start);
        for (int i = 0; i < iterations; i++) {
            if (Math.sqrt(Vectors.dot(method.gradient, method.gradient)) <= tolerance
                    || !method.step()) {
                break;
            }
        }
        return new Minimum(method.x, method.value, method.evaluations);
    }

    private double evaluate(double[] point, double[] slope) {
        evaluations++;
        return loss.at(point, slope);
    }

    /** Returns false if no step makes the value smaller: rounding has the last word. */
    private boolean step() {
        double[] direction = direction();
        double slope = Vectors.dot(direction, gradient);
        double length = changes.isEmpty() ? Math.min(1, 1 / Math.sqrt(-slope)) : 1;
        double[] next = new double[x.length];
        double[] there = new double[x.length];
        for (int halving = 0; halving < MOST_HALVINGS; halving++, length /= 2) {
            System.arraycopy(x, 0, next, 0, x.length);
            Vectors.add(length, direction, 0, next, x.length);
            double reached = evaluate(next, there);
            if (reached <= value + SUFFICIENT * length * slope) {
                remember(next, there);
                boolean smaller = reached < value;
                x = next;
                gradient = there;
                value = reached;
                return smaller;
            }
        }
        return false;
    }

    private void remember(double[] next, double[] there) {
        double[] step = next.clone();
        double[] change = there.clone();
        Vectors.add(-1, x, 0, step, x.length);
        Vectors.add(-1, gradient, 0, change, x.length);
        double product = Vectors.dot(step, change);
        if (product > 0) {
            changes.addFirst(new Change(step, change, 1 / product));
            if (changes.size() > MEMORY) {
                changes.removeLast();
            }
        }
    }

    /** Minus the inverse Hessian, as the last changes tell it, times the gradient. */
    private double[] direction() {
        double[] q = gradient.clone();
        double[] alphas = new double[changes.size()];
        int i = 0;
        for (Change each : changes) {
            alphas[i] = each.rho * Vectors.dot(each.step, q);
            Vectors.add(-alphas[i++], each.gradient, 0, q, q.length);
        }
        Change last = changes.peekFirst();
        double scale = last == null ? -1
                : -1 / (last.rho * Vectors.dot(last.gradient, last.gradient));
        for (int j = 0; j < q.length; j++) {
            q[j] *= scale;
        }
        for (Iterator<Change> oldest = changes.descendingIterator(); oldest.hasNext();) {
            Change each = oldest.next();
            double beta = each.rho * Vectors.dot(each.gradient, q);
            Vectors.add(-alphas[--i] - beta, each.step, 0, q, q.length);
        }
        return q;
    }
}
