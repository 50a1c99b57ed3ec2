// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A file of the file system that this process has opened. Any number of threads may use it. An
 * interrupt closes a channel of Java, and ends no call of MPI: the file is opened again then.
 */
final class Store {
    private static final int ZEROS = 1 << 20;
    /** The locks of files are those of the process, and Java refuses a second one. */
    private static final ReentrantLock LOCKING = new ReentrantLock();

    /** Of st_mode. */
    private static final int TYPE_BITS = 0170000;
    private static final int PIPE = 0010000;

    private final Path path;
    private final Set<OpenOption> again;
    private final Object key;
    private volatile FileChannel channel;
    private boolean closed;

    private Store(Path path, Set<OpenOption> again, FileChannel channel) throws IOException {
        this.path = path;
        this.again = again;
        this.channel = channel;
        key = keyOf(path);
    }

    private static boolean isPipe(Path path) {
        try {
            return ((int) Files.getAttribute(path, "unix:mode") & TYPE_BITS) == PIPE;
        } catch (IOException none) {
            return false;
        }
    }

    /** What tells whether a name means the same file. */
    private static Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Something that may fail, and may be done again. */
    private interface Action {
        long on(FileChannel open) throws IOException;
    }

    static Path path(String filename) {
        if (filename == null) {
            throw new MPIException(ErrorClass.ARG, "the name of the file is null");
        }
        try {
            return Path.of(filename);
        } catch (InvalidPathException e) {
            throw new MPIException(ErrorClass.BAD_FILE, "the name of the file is wrong: "
                    + e.getMessage());
        }
    }

    /** Opens a file, and perhaps creates it. */
    static Store open(Path path, AccessMode mode, boolean creating) {
        if (Files.isDirectory(path)) {
            throw FileFailures.directory(path);
        }
        if (isPipe(path)) {
            throw new MPIException(ErrorClass.BAD_FILE, "\"" + path + "\" is a pipe, which waits"
                    + " until somebody else opens it: expected the name of a file");
        }
        try {
            return new Store(path, mode.options(false),
                    FileChannel.open(path, mode.options(creating)));
        } catch (IOException why) {
            throw FileFailures.of(why, path);
        }
    }

    static void delete(Path path) {
        if (Files.isDirectory(path)) {
            throw FileFailures.directory(path);
        }
        try {
            Files.delete(path);
        } catch (IOException why) {
            throw FileFailures.of(why, path);
        }
    }

    private long call(Action action) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel open = channel;
                try {
                    return action.on(open);
                } catch (ClosedByInterruptException | FileLockInterruptionException e) {
                    interrupted |= Thread.interrupted();
                    reopen(open);
                } catch (ClosedChannelException e) { // another thread was interrupted
                    reopen(open);
                }
            }
        } catch (IOException why) {
            throw FileFailures.of(why, path);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void reopen(FileChannel broken) throws IOException {
        LOCKING.lock(); // a close ends all locks that the process has on the file
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (channel == broken) {
                broken.close();
                FileChannel next = FileChannel.open(path, again);
                if (!key.equals(keyOf(path))) {
                    next.close();
                    throw new IOException("it was renamed or replaced, and cannot be opened again"
                            + " after an interrupt");
                }
                channel = next;
            }
        } finally {
            LOCKING.unlock();
        }
    }

    /** Reads until the buffer is full or the file ends; returns whether it is full. */
    boolean read(ByteBuffer to, long at) {
        int begin = to.position();
        while (to.hasRemaining()) {
            int next = to.position();
            long read = call(open -> open.read(to.position(next), at + next - begin));
            if (read <= 0) {
                return false;
            }
        }
        return true;
    }

    void write(ByteBuffer from, long at) {
        int begin = from.position();
        while (from.hasRemaining()) {
            int next = from.position();
            call(open -> open.write(from.position(next), at + next - begin));
        }
    }

    long size() {
        return call(FileChannel::size);
    }

    /** Makes it shorter, or longer by zeros that take no room. */
    void resize(long size) {
        if (size > size()) {
            write(ByteBuffer.allocate(1), size - 1);
        }
        call(open -> open.truncate(size).position());
    }

    /** Makes it as long, by zeros that take room. */
    void extend(long size) {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
        for (long at = size(); at < size; at += ZEROS) {
            write(zeros.clear().limit((int) Math.min(ZEROS, size - at)), at);
        }
    }

    void force() {
        call(open -> {
            open.force(true);
            return 0;
        });
    }

    /** Does something that no other process does within these bytes meanwhile. */
    long locked(long from, long to, boolean shared, LongSupplier access) {
        LOCKING.lock();
        try {
            return call(open -> {
                FileLock held = open.lock(from, to - from, shared);
                try {
                    return access.getAsLong();
                } finally {
                    held.release();
                }
            });
        } finally {
            LOCKING.unlock();
        }
    }

    void close() {
        LOCKING.lock();
        try {
            closed = true;
            call(open -> {
                open.close();
                return 0;
            });
        } finally {
            LOCKING.unlock();
        }
    }
}
