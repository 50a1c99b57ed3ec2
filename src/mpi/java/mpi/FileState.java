// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What an open file consists of, and how its calls fail. */
class FileState {
    static final int OWNER = 0;
    private static final long IDLE_SECONDS = 1;

    Engine engine;
    Members members;
    /** The ranks that have opened the file together; nobody else uses it. */
    Communicator ranks;
    AccessMode mode;
    /** Null: the file is closed. */
    volatile Store store;
    FileView view = new FileView(0, Types.BYTE, Types.BYTE, "native");
    FileMap map = new FileMap(0, Types.BYTE.map);
    boolean atomic;
    /** The individual pointer, in etypes. */
    final AtomicLong position = new AtomicLong();
    /** The number of the shared pointer among the words of rank OWNER; it counts etypes. */
    int word = -1;
    /** Requests that the program has neither waited for nor freed. */
    final AtomicInteger requests = new AtomicInteger();
    /** One thread, which ends when it has nothing to do for a while. */
    private final ThreadPoolExecutor background = new ThreadPoolExecutor(1, 1, IDLE_SECONDS,
            TimeUnit.SECONDS, new LinkedBlockingQueue<>(), FileState::thread);
    private volatile Errhandler errhandler = Errhandler.RETURN;

    FileState() {
        background.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "MPI file");
        thread.setDaemon(true);
        return thread;
    }

    final Executor background() {
        return background;
    }

    /** Waits for what requests do that the program has freed. */
    final void awaitBackground() {
        if (background.getTaskCount() > 0) {
            CompletableFuture.runAsync(() -> { }, background).join();
        }
    }

    final Errhandler handler() {
        return errhandler;
    }

    final void handler(Errhandler next) {
        if (next == null) {
            throw new MPIException(ErrorClass.ARG, "the error handler is null: expected"
                    + " MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        errhandler = next;
    }

    /** Returns an exception to throw, unless the error handler ends the job. */
    final MPIException fails(MPIException failure) {
        return errhandler.handle(failure, engine);
    }

    /** Does something with the open file, and lets the error handler hear of failures. */
    final <T> T guarded(Supplier<T> what) {
        try {
            Engine.get();
            if (store == null) {
                throw new MPIException(ErrorClass.FILE,
                        "the file was closed: expected an open one");
            }
            return what.get();
        } catch (MPIException failure) {
            throw fails(failure);
        } catch (HayateException failure) {
            throw fails(Failures.of(failure));
        }
    }

    final void call(Runnable what) {
        guarded(() -> {
            what.run();
            return null;
        });
    }

    // ---- pointers ----

    final int rank() {
        return ranks.rank();
    }

    private int ownerOfWord() {
        return members.world(OWNER);
    }

    final long shared() {
        return engine.words.get(ownerOfWord(), word);
    }

    final void shared(long etypes) {
        engine.words.set(ownerOfWord(), word, etypes);
    }

    /** Returns the shared pointer, and moves it on. */
    final long takeShared(long etypes) {
        return engine.words.add(ownerOfWord(), word, etypes);
    }

    /** Returns the end of the file in etypes of the view. */
    final long end() {
        return -Math.floorDiv(-map.bytesBelow(store.size()), view.getEType().bytes);
    }

    final long byteOf(long etypes) {
        try {
            return Math.multiplyExact(etypes, view.getEType().bytes);
        } catch (ArithmeticException e) {
            throw new MPIException(ErrorClass.ARG, "the offset of " + etypes + " etypes of "
                    + view.getEType().bytes + " bytes is beyond 2^63 bytes");
        }
    }

    /** Returns where a seek leads to. */
    final long target(long offset, int whence, long current) {
        long base = switch (whence) {
            case Constants.SEEK_SET -> 0;
            case Constants.SEEK_CUR -> current;
            case Constants.SEEK_END -> end();
            default -> throw new MPIException(ErrorClass.ARG, "the seek counts from " + whence
                    + ": expected MPI.SEEK_SET, SEEK_CUR or SEEK_END");
        };
        if (offset < 0 ? base + offset < 0 : base + offset < base) {
            throw new MPIException(ErrorClass.ARG, "the seek leads " + offset + " etypes from "
                    + base + ": expected a place of 0 or more, below 2^63");
        }
        return base + offset;
    }

    /** Returns an offset in etypes that is not negative. */
    static long requireOffset(long offset) {
        if (offset < 0) {
            throw new MPIException(ErrorClass.ARG, "the offset is " + offset
                    + " etypes: expected 0 or more");
        }
        return offset;
    }
}
