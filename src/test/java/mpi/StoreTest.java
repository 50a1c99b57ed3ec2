// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of one process, under interrupts, and what its failures are to MPI. */
class StoreTest {
    private static final AccessMode CREATE = new AccessMode(MPI.MODE_RDWR | MPI.MODE_CREATE);
    private static final AccessMode READ = new AccessMode(MPI.MODE_RDONLY);

    @TempDir
    Path folder;

    private Store created() {
        return Store.open(folder.resolve("file"), CREATE, true);
    }

    @Test
    void should_go_on_when_its_thread_is_interrupted() {
        Store store = created();
        Thread.currentThread().interrupt();
        store.write(ByteBuffer.wrap(new byte[100]), 0);
        assertTrue(Thread.currentThread().isInterrupted());
        assertTrue(store.read(ByteBuffer.allocate(100), 0));
        assertEquals(7, store.locked(0, 10, false, () -> 7));
        assertEquals(100, store.size());
        store.close();
        assertTrue(Thread.interrupted());
    }

    @Test
    void should_go_on_when_threads_are_interrupted_in_the_middle() throws Exception {
        Store store = created();
        byte[] data = new byte[1 << 20];
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong interrupts = new AtomicLong();
        Thread[] workers = new Thread[2];
        for (int i = 0; i < workers.length; i++) {
            int part = i;
            workers[i] = new Thread(() -> {
                try {
                    while (!over.get()) {
                        store.write(ByteBuffer.wrap(data), (long) part * data.length);
                        ByteBuffer found = ByteBuffer.allocate(data.length);
                        assertTrue(store.read(found, (long) part * data.length));
                        interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
                    }
                } catch (Throwable wrong) {
                    failure.set(wrong);
                }
            });
            workers[i].start();
        }
        for (int i = 0; i < 300 && failure.get() == null; i++) {
            workers[i % 2].interrupt();
            Thread.sleep(1);
        }
        over.set(true);
        for (Thread worker : workers) {
            worker.join();
        }
        assertEquals(null, failure.get());
        assertTrue(interrupts.get() > 20, interrupts + " interrupts were seen");
        assertEquals(2L * data.length, store.size());
        store.close();
    }

    @Test
    void should_not_take_another_file_for_its_own_when_it_was_renamed() throws Exception {
        Store store = created();
        Path file = folder.resolve("file");
        Files.move(file, folder.resolve("moved"));
        Files.createFile(file);
        FutureTask<Void> writes = new FutureTask<>(() -> failsWith(ErrorClass.IO, "renamed", () -> {
            while (Files.size(file) == 0) {
                store.write(ByteBuffer.allocate(1 << 20), 0);
            }
        }), null);
        Thread thread = new Thread(writes);
        thread.start();
        while (thread.isAlive()) { // until an interrupt is in the middle of a write
            thread.interrupt();
            Thread.sleep(1);
        }
        writes.get();
        assertEquals(0, Files.size(file));
        store.close();
    }

    private static boolean goesOn(Thread thread) {
        try {
            thread.join(200);
        } catch (InterruptedException nobody) {
            throw new AssertionError(nobody);
        }
        return thread.isAlive();
    }

    /** It would end all locks of the process. */
    @Test
    void should_not_be_closed_while_another_one_of_the_file_is_locked() throws Exception {
        Store store = created();
        Thread closes = new Thread(Store.open(folder.resolve("file"), CREATE, false)::close);
        store.locked(0, 100, false, () -> {
            closes.start();
            assertTrue(goesOn(closes));
            return 0;
        });
        closes.join();
        store.close();
    }

    @Test
    void should_exclude_others_of_the_process_while_it_is_locked() throws Exception {
        Store store = created();
        Store other = Store.open(folder.resolve("file"), CREATE, false);
        AtomicBoolean inside = new AtomicBoolean();
        AtomicBoolean met = new AtomicBoolean();
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            Store mine = i % 2 == 0 ? store : other;
            workers[i] = new Thread(() -> {
                for (int j = 0; j < 200; j++) {
                    mine.locked(0, 100, false, () -> {
                        met.compareAndSet(false, !inside.compareAndSet(false, true));
                        Thread.yield();
                        inside.set(false);
                        return 0;
                    });
                }
            });
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertFalse(met.get());
        store.close();
        other.close();
    }

    @Test
    void should_change_its_size() throws IOException {
        Store store = created();
        store.resize(5000);
        assertEquals(5000, store.size());
        store.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 10);
        store.resize(12);
        store.extend(3_000_000);
        store.extend(100);
        byte[] found = Files.readAllBytes(folder.resolve("file"));
        assertEquals(3_000_000, found.length);
        assertEquals(2, found[11]);
        assertEquals(0, found[12]);
        store.resize(0);
        assertEquals(0, store.size());
        store.close();
    }

    @Test
    void should_fail_as_mpi_says() throws IOException {
        Path missing = folder.resolve("missing");
        failsWith(ErrorClass.NO_SUCH_FILE, "MODE_CREATE", () -> Store.open(missing, READ, true));
        failsWith(ErrorClass.NO_SUCH_FILE, "does not exist", () -> Store.delete(missing));
        failsWith(ErrorClass.NO_SUCH_FILE, "does not exist",
                () -> Store.open(missing.resolve("deeper"), CREATE, true));
        failsWith(ErrorClass.BAD_FILE, "directory", () -> Store.open(folder, READ, true));
        failsWith(ErrorClass.BAD_FILE, "directory", () -> Store.delete(folder));
        failsWith(ErrorClass.BAD_FILE, "wrong", () -> Store.path("a\0b"));
        created().close();
        failsWith(ErrorClass.FILE_EXISTS, "MODE_EXCL", () -> Store.open(folder.resolve("file"),
                new AccessMode(MPI.MODE_WRONLY | MPI.MODE_CREATE | MPI.MODE_EXCL), true));
        failsWith(ErrorClass.BAD_FILE, "Not a directory",
                () -> Store.open(folder.resolve("file").resolve("deeper"), CREATE, true));
        failsWith(ErrorClass.BAD_FILE, "name too long",
                () -> Store.open(folder.resolve("x".repeat(400)), CREATE, true));
        Store full = Store.open(Path.of("/dev/full"), new AccessMode(MPI.MODE_WRONLY), true);
        failsWith(ErrorClass.NO_SPACE, "/dev/full", () -> full.write(ByteBuffer.allocate(1), 0));
        full.close();
        Store closed = created();
        closed.close();
        failsWith(ErrorClass.FILE, "closed", closed::size);
        Store reading = Store.open(Path.of("/proc/self/mem"), READ, true);
        failsWith(ErrorClass.IO, "/proc/self/mem",
                () -> reading.read(ByteBuffer.allocate(1), 0));
        reading.close();
    }

    @Test
    void should_know_the_classes_of_other_failures() {
        Path path = Path.of("f");
        assertEquals(ErrorClass.ACCESS,
                FileFailures.of(new AccessDeniedException("f"), path).getErrorClass());
        assertEquals(ErrorClass.READ_ONLY, FileFailures.of(
                new FileSystemException("f", null, "Read-only file system"), path)
                .getErrorClass());
        assertEquals(ErrorClass.QUOTA, FileFailures.of(
                new IOException("Disk quota exceeded"), path).getErrorClass());
        MPIException unknown = FileFailures.of(new IOException(), path);
        assertEquals(ErrorClass.IO, unknown.getErrorClass());
        assertTrue(unknown.getMessage().contains("IOException"), unknown.getMessage());
    }

    @Test
    void should_refuse_modes_that_contradict_each_other() {
        for (int wrong : new int[] {0, MPI.MODE_RDONLY | MPI.MODE_WRONLY, MPI.MODE_CREATE,
            MPI.MODE_RDWR | 1 << 20, -1, MPI.MODE_RDONLY | MPI.MODE_CREATE,
            MPI.MODE_RDONLY | MPI.MODE_EXCL, MPI.MODE_RDWR | MPI.MODE_SEQUENTIAL}) {
            failsWith(ErrorClass.AMODE, "expected", () -> new AccessMode(wrong).check());
        }
        new AccessMode(MPI.MODE_WRONLY | MPI.MODE_SEQUENTIAL | MPI.MODE_APPEND
                | MPI.MODE_UNIQUE_OPEN | MPI.MODE_DELETE_ON_CLOSE | MPI.MODE_CREATE).check();
    }
}
