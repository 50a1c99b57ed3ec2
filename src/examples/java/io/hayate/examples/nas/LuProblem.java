// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The parameters of a class of LU, and what NPB publishes of the last step.
 *
 * @param points on each side of the cube
 * @param steps in pseudo-time
 * @param timeStep length of a step
 * @param residuals norms of the residual of each component
 * @param errors norms of the difference of each component from the exact solution
 * @param surface integral of the pressure
 */
record LuProblem(int points, int steps, double timeStep, double[] residuals, double[] errors,
        double surface) {
    static final double TOLERANCE = 1e-8; // relative, of each number

    static LuProblem of(ProblemClass problem) {
        return switch (problem) {
            case S -> new LuProblem(12, 50, 0.5,
                    new double[] {1.6196343210976702e-02, 2.1976745164821318e-03,
                        1.5179927653399185e-03, 1.5029584435994323e-03, 3.4264073155896461e-02},
                    new double[] {6.4223319957960924e-04, 8.4144342047347926e-05,
                        5.8588269616485186e-05, 5.8474222595157350e-05, 1.3103347914111294e-03},
                    7.8418928865937083);
            case W -> new LuProblem(33, 300, 1.5e-3,
                    new double[] {12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252,
                        28.26799444189},
                    new double[] {0.4867877144216, 0.05064652880982, 0.09281818101960,
                        0.08570126542733, 1.084277417792},
                    11.61399311023);
            case A -> new LuProblem(64, 250, 2,
                    new double[] {7.7902107606689367e+02, 6.3402765259692870e+01,
                        1.9499249727292479e+02, 1.7845301160418537e+02, 1.8384760349464247e+03},
                    new double[] {2.9964085685471943e+01, 2.8194576365003349,
                        7.3473412698774742, 6.7139225687777051, 7.0715315688392578e+01},
                    26.030925604886277);
            case B -> new LuProblem(102, 250, 2,
                    new double[] {3.5532672969982736e+03, 2.6214750795310692e+02,
                        8.8333721850952190e+02, 7.7812774739425265e+02, 7.3087969592545314e+03},
                    new double[] {1.1401176380212709e+02, 8.1098963655421574,
                        2.8480597317698308e+01, 2.5905394567832939e+01, 2.6054907504857413e+02},
                    47.887162703308227);
        };
    }

    /** Floating point operations, as NPB counts them. */
    double operations() {
        double n = points;
        return steps * (1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010);
    }
}
