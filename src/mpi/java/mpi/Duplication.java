// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import io.hayate.Span;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates a duplicate of a communicator in a thread of its own, by messages, so that the program
 * goes on, and can use the original for other collectives meanwhile.
 */
final class Duplication implements Request.Pending {
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Duplication() {
    }

    /** Returns a number that the members of a communicator have in common, and no other one has. */
    static long agree(Engine engine, Communicator everybody) {
        long[] number = {(long) engine.job.rank() << Integer.SIZE | NEXT.getAndIncrement()};
        everybody.bcast(Span.of(number), 0);
        return number[0];
    }

    /** tag: another one for each that is under way. */
    static Duplication start(Comm original, Comm fresh, int tag) {
        Duplication made = new Duplication();
        Thread thread = new Thread(() -> made.run(original, fresh, tag), "MPI duplication");
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    private void run(Comm original, Comm fresh, int tag) {
        try {
            Engine engine = original.engine;
            Members all = original.everyMember();
            original.duplicate(fresh,
                    Meeting.of(engine, all, Meeting.byMessages(engine, all, tag)));
            end.complete(null);
        } catch (HayateException failure) {
            end.completeExceptionally(Failures.of(failure));
        } catch (RuntimeException | Error failure) {
            end.completeExceptionally(failure);
        }
    }

    @Override
    public Status complete(boolean waits) {
        if (!waits && !end.isDone()) {
            return null;
        }
        try {
            end.join();
            return new Status();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof MPIException known) {
                throw known;
            }
            throw failure;
        }
    }
}
