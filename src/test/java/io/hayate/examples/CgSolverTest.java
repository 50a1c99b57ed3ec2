// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.OneRank;
import io.hayate.examples.CgResult.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The solver in a job of one rank, inside this JVM. */
@Tag("example")
class CgSolverTest extends OneRank {
    /** A result, its check and the solution. */
    private record Solved(CgResult result, SolutionCheck check, double[] x) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 16})
    void should_find_the_known_solution_of_poisson_problems(int side) {
        Solved solved = solve(new PoissonProblem(side).block(0, 1), 1e-12, 1000);
        assertEquals(Outcome.CONVERGED, solved.result.outcome());
        assertTrue(solved.check.isRight());
        for (int i = 0; i < solved.x.length; i++) {
            assertEquals(SolutionCheck.known(i), solved.x[i], 1e-9);
        }
    }

    @ParameterizedTest
    @CsvSource({"bcsstk01.mtx, 200", "bcsstk16.mtx, 400"})
    void should_converge_on_stiffness_matrices(String name, int most) throws Exception {
        CsrMatrix matrix = MatrixMarket.read(TestMatrices.real(name));
        Solved solved = solve(whole(matrix), 1e-10, 100_000);
        assertEquals(Outcome.CONVERGED, solved.result.outcome());
        assertTrue(solved.check.residual() <= 1e-10, "residual " + solved.check.residual());
        assertTrue(solved.check.error() < 1e-7, "error " + solved.check.error());
        assertTrue(solved.check.isRight());
        assertTrue(solved.result.iterations() <= most, solved.result.iterations() + " iterations");
    }

    @Test
    void should_report_a_residual_that_is_the_true_one() {
        Solved solved = solve(new PoissonProblem(8).block(0, 1), 1e-6, 1000);
        assertEquals(solved.check.residual(), solved.result.residual(), 1e-15);
        double last = solved.result.history()[solved.result.iterations()];
        assertEquals(solved.check.residual(), last, 1e-10);
        assertEquals(1, solved.result.history()[0], 1e-15);
    }

    @Test
    void should_estimate_the_condition_number() {
        // Jacobi makes any diagonal matrix the identity; Poisson's grows with the side's square.
        Solved small = solve(new PoissonProblem(8).block(0, 1), 1e-12, 1000);
        Solved large = solve(new PoissonProblem(16).block(0, 1), 1e-12, 1000);
        double ratio = large.result.condition() / small.result.condition();
        assertEquals(3.6, ratio, 0.4, "close to (17/9)^2");
    }

    @Test
    void should_stop_at_the_iteration_limit() {
        Solved solved = solve(new PoissonProblem(8).block(0, 1), 1e-12, 5);
        assertEquals(Outcome.ITERATION_LIMIT, solved.result.outcome());
        assertEquals(5, solved.result.iterations());
    }

    @Test
    void should_not_promise_more_than_rounding_allows() {
        Solved solved = solve(new PoissonProblem(8).block(0, 1), 1e-17, 100_000);
        assertEquals(Outcome.STAGNATED, solved.result.outcome());
        assertTrue(solved.check.residual() < 1e-14);
    }

    @Test
    void should_see_that_a_matrix_is_indefinite() throws Exception {
        CsrMatrix matrix = TestMatrices.parse(TestMatrices.BANNER + "2 2 3\n1 1 1\n2 2 1\n2 1 5\n");
        Solved solved = solve(whole(matrix), 1e-10, 100);
        assertEquals(Outcome.NOT_POSITIVE_DEFINITE, solved.result.outcome());
    }

    @Test
    void should_see_a_wrong_solution() {
        RowBlock block = new PoissonProblem(6).block(0, 1);
        Stopwatch communication = new Stopwatch();
        try (DistributedMatrix matrix = new DistributedMatrix(job, fmpl, block, communication);
                GlobalSums sums = new GlobalSums(job, fmpl, communication)) {
            double[] b = SolutionCheck.rightHandSide(block);
            double[] x = matrix.vector();
            CgResult result = new CgSolver(matrix, sums, 1e-10, 1000).solve(b, x);
            assertTrue(SolutionCheck.of(matrix, sums, 0, b, x, result.condition()).isRight());
            b[17] += 1; // as a lost halo entry would
            new CgSolver(matrix, sums, 1e-10, 1000).solve(b, x);
            SolutionCheck wrong = SolutionCheck.of(matrix, sums, 0, b, x, result.condition());
            assertTrue(wrong.residual() <= 1e-10 && !wrong.isRight(), wrong.toString());
        }
    }

    @Test
    void should_answer_zero_with_zero() {
        RowBlock block = new PoissonProblem(3).block(0, 1);
        Stopwatch communication = new Stopwatch();
        try (DistributedMatrix matrix = new DistributedMatrix(job, fmpl, block, communication);
                GlobalSums sums = new GlobalSums(job, fmpl, communication)) {
            CgResult result =
                    new CgSolver(matrix, sums, 1e-10, 10).solve(new double[27], matrix.vector());
            assertEquals(0, result.iterations());
            assertTrue(result.converged());
        }
    }

    @Test
    void should_read_and_keep_all_rows_on_a_single_rank() throws Exception {
        Path file = TestMatrices.real("bcsstk01.mtx");
        RowBlock block = new MatrixScatter(job, fmpl).read(file);
        assertEquals(48, block.rows());
        assertEquals(400, block.allNonzeros());
    }

    private Solved solve(RowBlock block, double tolerance, int most) {
        Stopwatch communication = new Stopwatch();
        try (DistributedMatrix matrix = new DistributedMatrix(job, fmpl, block, communication);
                GlobalSums sums = new GlobalSums(job, fmpl, communication)) {
            double[] b = SolutionCheck.rightHandSide(block);
            double[] x = matrix.vector();
            CgResult result = new CgSolver(matrix, sums, tolerance, most).solve(b, x);
            return new Solved(result,
                    SolutionCheck.of(matrix, sums, 0, b, x, result.condition()), x);
        }
    }

    private static RowBlock whole(CsrMatrix matrix) {
        return new RowBlock(new RowPartition(new int[] {0, matrix.rows()}), 0, matrix.nonzeros(),
                matrix);
    }
}
