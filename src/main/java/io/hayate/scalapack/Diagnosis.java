// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/** What INFO &gt; 0 means, by the kind of computation. */
enum Diagnosis {
    /** It does not occur. */
    NONE {
        @Override
        String of(int info, int order) {
            return "failed";
        }
    },
    SINGULAR {
        @Override
        String of(int info, int order) {
            return "the matrix is singular: pivot " + info + " of " + order + " (counted from 1),"
                    + " the diagonal element of U, is exactly zero";
        }
    },
    NOT_DEFINITE {
        @Override
        String of(int info, int order) {
            return "the matrix is not positive definite: its leading minor of order " + info
                    + " of " + order + " is not positive";
        }
    },
    EIGENVALUE {
        @Override
        String of(int info, int order) {
            if (info <= order) {
                return "eigenvalue " + info + " of " + order + " (counted from 1) did not converge";
            }
            int eigenvalue = info / (order + 1);
            return info == order + 1 ? "the processes computed different eigenvalues"
                    : "eigenvalue " + eigenvalue + " of " + order + " (counted from 1) did not"
                            + " converge, in rows and columns up to " + info % (order + 1);
        }
    },
    SINGULAR_VALUE {
        @Override
        String of(int info, int order) {
            return info == order + 1 ? "the processes computed different singular values"
                    : info + " of " + order + " superdiagonals did not converge to zero";
        }
    };

    /** Says what was wrong in a matrix of an order. */
    abstract String of(int info, int order);
}
