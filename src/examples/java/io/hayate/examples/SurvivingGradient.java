// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.BrokenCommunicatorException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.PeerFailedException;
import java.util.Set;

/**
 * Solves a system by conjugate gradients, loses ranks, and goes on without them: the survivors
 * shrink their communicator, deal out the lines anew from copies that neighbours have of each
 * other's state, and repeat the iterations since then. Run it by
 * {@code hayate run --survive -n P -- java ...}.
 */
public final class SurvivingGradient {
    private static final String USAGE = """
            Usage: SurvivingGradient [--side N] [--every K] [--lose R] [--then S] [--at I]
            Solves the Poisson equation on N x N points (default 200) by conjugate gradients.
            Neighbours copy each other's state every K iterations (default 25). With --lose, the
            R-th rank dies in iteration I (default 60), with --then the S-th one in the next.
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    private static final double TOLERANCE = 1e-10;
    private static final double LIMIT = 1e-6; // of the error
    private static final int MOST_SIDE = 4000;

    private final int rank;
    private final int side;
    private final int every;
    private final boolean dies;
    private final int diesAt;
    private final NeighborCopies copies;
    private Communicator comm;
    private LineGradient gradient;
    private int iteration;
    private double rho;
    private int repeated;

    private SurvivingGradient(Fmpl fmpl, CommandLine line) throws UsageException {
        comm = fmpl.world();
        rank = comm.rank();
        side = line.integer("--side", MOST_SIDE, 200);
        every = line.integer("--every", 100_000, 25);
        int at = line.integer("--at", 100_000, 60);
        boolean second = line.has("--then")
                && line.integer("--then", comm.size(), 1) == rank + 1;
        boolean one = line.has("--lose") && line.integer("--lose", comm.size(), 1) == rank + 1;
        dies = second || one;
        diesAt = second ? at + 1 : at;
        if (side < comm.size()) {
            throw new UsageException("--side " + side + ": expected at least " + comm.size()
                    + ", one line for each rank");
        }
        copies = new NeighborCopies(side);
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            CommandLine line = new CommandLine(
                    Set.of("--side", "--every", "--lose", "--at", "--then"), Set.of(), args);
            return new SurvivingGradient(fmpl, line).solve();
        } catch (UsageException e) {
            System.err.println("SurvivingGradient: " + e.getMessage() + System.lineSeparator()
                    + USAGE);
            return 2;
        } catch (HayateException | NeighborCopies.LostException e) {
            System.err.println("SurvivingGradient: " + e.getMessage());
            return 1;
        }
    }

    private int solve() throws NeighborCopies.LostException {
        int size = comm.size();
        double error = -1;
        while (error < 0) {
            try {
                error = iterate();
            } catch (PeerFailedException | BrokenCommunicatorException death) {
                goOn(death);
            }
        }
        if (comm.rank() == 0) {
            System.out.println(size + " ranks, " + comm.size() + " at the end, " + iteration
                    + " iterations, " + repeated + " repeated, largest error " + error);
        }
        return error <= LIMIT ? 0 : 1;
    }

    /** Until the residual is small; returns the error. */
    private double iterate() {
        if (gradient == null) {
            gradient = new LineGradient(comm, side);
            rho = gradient.begin();
        }
        double goal = TOLERANCE * TOLERANCE * 4 * side; // about b.b: 1 at the edges, 2 in corners
        while (rho > goal) {
            if (iteration % every == 0) {
                copies.save(comm, iteration, rho, gradient.state());
            }
            if (dies && iteration == diesAt) {
                Runtime.getRuntime().halt(9); // as if the machine had killed it
            }
            rho = gradient.step(rho);
            iteration++;
        }
        return gradient.error();
    }

    /** Again if another rank dies meanwhile. */
    private void goOn(HayateException death) throws NeighborCopies.LostException {
        while (true) {
            try {
                restore(death);
                return;
            } catch (PeerFailedException | BrokenCommunicatorException another) {
                death = another;
            }
        }
    }

    private void restore(HayateException death) throws NeighborCopies.LostException {
        Communicator before = comm;
        comm = before.shrink();
        before.close();
        if (comm.rank() == 0) {
            System.out.println("after iteration " + iteration + ": " + death.reason() + "; "
                    + comm.size() + " go on");
        }
        LineGradient made = new LineGradient(comm, side);
        NeighborCopies.Point point = copies.restore(comm, made.state());
        int reached = iteration;
        iteration = point == null ? 0 : point.iteration();
        rho = point == null ? made.begin() : point.rho();
        repeated += reached - iteration;
        gradient = made;
    }
}
