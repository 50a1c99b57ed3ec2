// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * How the test has ended on a rank that has a JVM of its own, passed on in a file.
 *
 * @param time of {@link System#nanoTime}
 * @param thrown null: the test has passed
 */
record RankOutcome(long time, Throwable thrown) {
    private static Path file(Path directory, int rank) {
        return directory.resolve("rank-" + rank);
    }

    void write(Path directory, int rank) throws IOException {
        Path file = file(directory, rank);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            write(part, thrown);
        } catch (IOException | RuntimeException notSerializable) {
            RuntimeException alike = new RuntimeException(thrown.toString());
            alike.setStackTrace(thrown.getStackTrace());
            write(part, alike);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void write(Path file, Throwable what) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeLong(time);
            objects.writeObject(what);
        }
    }

    /** Returns null if the rank has left no outcome. */
    static RankOutcome read(Path directory, int rank) throws IOException {
        Path file = file(directory, rank);
        if (!Files.exists(file)) {
            return null;
        }
        try (ObjectInputStream objects = new ObjectInputStream(Files.newInputStream(file))) {
            return new RankOutcome(objects.readLong(), (Throwable) objects.readObject());
        } catch (ClassNotFoundException e) {
            throw new IOException("the JVM of the test does not have the class " + e.getMessage()
                    + " that rank " + rank + " threw", e);
        }
    }
}
