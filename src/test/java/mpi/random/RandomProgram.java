// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;

/**
 * A program by chance, for one rank or more: {@code RandomProgram SEED OPERATIONS [ROUND]}. It does
 * that many operations or some more, or only the round. Each rank checks what it gets against the
 * rules of MPI, and has DIGEST, round, rank and a number for each round, which is the same for all
 * implementations of MPI: printed, or with the property digests in a file of that folder, because
 * mpirun mixes the lines of ranks. It is written for Open MPI's Java binding, too.
 */
public final class RandomProgram {
    private static final int BUFFER = 4 << 20;

    /** Seconds for one round, which takes less than one. */
    private static final int LIMIT = 100;

    private static long seed;
    private static PrintStream digests; // null: nothing was written
    private static final AtomicInteger ROUND = new AtomicInteger();

    private RandomProgram() {
    }

    /** Runs as a rank. */
    public static void main(String[] args) {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        seed = Long.parseLong(args[0]);
        long most = Long.parseLong(args[1]);
        int only = args.length > 2 ? Integer.parseInt(args[2]) : -1;
        Thread watch = new Thread(RandomProgram::watch);
        watch.setDaemon(true);
        watch.start();
        MPI.attachBuffer(new byte[BUFFER]);
        Shape.commit();
        List<Place> places = Place.make();
        long operations = 0;
        for (int number = Math.max(0, only); operations < most; number++) {
            operations += run(number, places);
            if (number == only) {
                break;
            }
        }
        MPI.COMM_WORLD.barrier();
        MPI.detachBuffer();
        Place.free(places);
        watch.interrupt();
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("DONE " + operations + " operations of seed " + seed);
        }
        MPI.Finalize();
    }

    /** Fails if a round hangs. */
    private static void watch() {
        try {
            for (int seen = -1; seen != ROUND.get();) {
                seen = ROUND.get();
                Thread.sleep(TimeUnit.SECONDS.toMillis(LIMIT));
            }
        } catch (InterruptedException e) {
            return;
        }
        Thread.getAllStackTraces().forEach((thread, stack) -> System.err.println(thread + " "
                + List.of(stack)));
        fail(ROUND.get(), "hangs", new AssertionError("no end after " + LIMIT + " s"));
    }

    private static PrintStream digests() throws IOException {
        if (digests == null) {
            String folder = System.getProperty("digests");
            digests = folder == null ? System.out : new PrintStream(new FileOutputStream(
                    folder + "/" + MPI.COMM_WORLD.getRank()), true);
        }
        return digests;
    }

    private static int run(int number, List<Place> places) {
        ROUND.set(number);
        try {
            Round round = new Round(seed, number, places);
            long digest = round.run();
            digests().println("DIGEST " + number + " " + MPI.COMM_WORLD.getRank() + " "
                    + Long.toHexString(digest));
            return round.operations();
        } catch (Throwable failure) { // MPIException is checked elsewhere
            fail(number, "collectives", failure);
            return 0;
        }
    }

    /** For what Open MPI does not do. */
    static boolean underOpenMpi() {
        return MPI.getLibVersion().contains("Open MPI");
    }

    /** Ends the process, and says how to see it again. */
    static void fail(int number, String where, Throwable failure) {
        System.err.println("FAILED: rank " + MPI.COMM_WORLD.getRank() + " of "
                + MPI.COMM_WORLD.getSize() + ", seed " + seed + ", round " + number + ", " + where
                + "; alone: RandomProgram " + seed + " 1 " + number);
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
    }
}
