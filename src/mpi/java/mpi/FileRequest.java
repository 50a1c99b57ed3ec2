// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** An access to a file that goes on in the background. */
final class FileRequest implements Request.Pending {
    private final FileState file;
    private final CompletableFuture<Status> end;

    FileRequest(FileState file, Transfer transfer, Executor thread) {
        this.file = file;
        end = CompletableFuture.supplyAsync(transfer::run, thread);
        file.requests.incrementAndGet();
    }

    @Override
    public Status complete(boolean waits) {
        if (!waits && !end.isDone()) {
            return null;
        }
        try {
            return end.join();
        } catch (CompletionException why) {
            throw file.fails(Failures.ofAny(why.getCause()));
        } finally {
            file.requests.decrementAndGet();
        }
    }

    /** The thread of the file keeps what is needed. */
    @Override
    public void freed(Engine engine) {
        file.requests.decrementAndGet();
    }
}
