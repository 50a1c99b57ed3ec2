// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import io.hayate.NativeLoadException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipException;

/**
 * A new directory of mode 0700 for files that are loaded or executed from it, or that processes of
 * this user hand over; Hayate creates such files in no other way. Whatever the umask is, another
 * user cannot write, replace or rename the files or the directory: no directory of its path belongs
 * to another user, and others cannot write to any of them unless its sticky bit is set. The
 * directory is deleted when it is closed, or when the JVM shuts down.
 */
public final class PrivateDirectory implements AutoCloseable {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------"));
    private static final String ENDING = "the JVM is shutting down";
    private static final int MODE = 0777;
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;

    private final Thread atEnd = new Thread(this::delete);
    private final Path place;
    // Guarded by this:
    private Path path;
    private boolean deleted;

    /**
     * An action in a directory.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Use<T> {
        /**
         * Performs the action, and closes the directory if it is no longer needed.
         *
         * @throws IOException on failure; another place is then tried, as after a LinkageError
         */
        T in(PrivateDirectory directory) throws IOException;
    }

    private PrivateDirectory(Path place) {
        this.place = place;
    }

    /**
     * Performs an action in a directory, in the first place where that works.
     *
     * @throws IOException if no place works; the text is "any of", a line with the reason for each
     *     place, and advice; the cause is that of the last place
     */
    public static <T> T first(Iterable<String> places, Use<T> use) throws IOException {
        List<String> reasons = new ArrayList<>();
        Throwable last = null;
        for (String place : places) {
            try {
                return in(place, use);
            } catch (IOException | LinkageError | UnsupportedOperationException e) {
                reasons.add(place + ": " + reason(e));
                last = e;
            }
        }
        throw new IOException("any of\n  " + String.join("\n  ", reasons)
                + "\nset -Djava.io.tmpdir to a writable directory that is not mounted noexec and"
                + " in which other users cannot rename files", last);
    }

    private static <T> T in(String place, Use<T> use) throws IOException {
        PrivateDirectory directory = new PrivateDirectory(Paths.of(place)
                .orElseThrow(() -> new IOException(Paths.fault(place))));
        try {
            Runtime.getRuntime().addShutdownHook(directory.atEnd);
        } catch (IllegalStateException e) {
            throw new IOException(ENDING);
        }
        try {
            directory.create();
            return use.in(directory);
        } catch (Throwable e) {
            directory.close();
            throw e;
        }
    }

    /** Returns why a place cannot be used; empty: it can be used. */
    public static Optional<String> fault(String place) {
        try {
            in(place, directory -> {
                try (directory) {
                    return directory.add("empty", InputStream.nullInputStream());
                }
            });
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(reason(e));
        }
    }

    /**
     * The message of a file-system exception is only a path, so the exception is described as a
     * whole.
     */
    private static String reason(Throwable e) {
        boolean told = e instanceof IOException && !(e instanceof FileSystemException);
        boolean mapping = String.valueOf(e.getMessage()).contains("failed to map segment");
        return told ? e.getMessage() : e + (mapping ? " (mounted noexec?)" : "");
    }

    private synchronized void create() throws IOException {
        if (deleted) {
            throw new IOException(ENDING);
        }
        Path real = place.toRealPath(); // a symbolic link may change later
        checkWay(real);
        // Files.createTempDirectory() fails everywhere if java.io.tmpdir is no path
        String name = "hayate-" + Long.toUnsignedString(new SecureRandom().nextLong());
        path = Files.createDirectory(real.resolve(name), PRIVATE);
        Owner owner = Owner.of(path);
        if (!owner.isTrusted() || (owner.mode() & MODE) != 0700) {
            throw new IOException("the file system created a directory of " + owner + ", expected"
                    + " mode 0700");
        }
    }

    /** A user who may rename a directory of the path could replace these files. */
    private static void checkWay(Path real) throws IOException {
        for (Path at = real; at != null; at = at.getParent()) {
            Owner owner = Owner.of(at);
            boolean open = (owner.mode() & WRITABLE_BY_OTHERS) != 0
                    && (owner.mode() & STICKY) == 0;
            if (open || !owner.isTrusted()) {
                throw new IOException("other users could replace what is unpacked there: " + at
                        + " is a directory of " + owner + (open ? " without sticky bit" : ""));
            }
        }
    }

    /** Returns the directory. */
    public synchronized Path path() {
        return path;
    }

    /**
     * Unpacks a file.
     *
     * @param name name of the file
     * @param content its content; the stream stays open
     * @return the file, which only this user can read, write and execute
     * @throws IOException if the file cannot be written or executed
     * @throws NativeLoadException if the content cannot be read
     */
    public synchronized Path add(String name, InputStream content) throws IOException {
        if (deleted) {
            throw new IOException(ENDING);
        }
        Path file = path.resolve(name);
        try (var channel = Files.newByteChannel(file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE)) {
            content.transferTo(Channels.newOutputStream(channel));
        } catch (ZipException | EOFException e) {
            throw new NativeLoadException(name + " is damaged in its jar (" + e.getMessage()
                    + "): only a part of the jar has been downloaded? Fetch it again", e);
        }
        if (!Files.isExecutable(file)) {
            throw new IOException("mounted noexec");
        }
        return file;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            return; // the JVM is already shutting down, which deletes it
        }
        delete();
    }

    private synchronized void delete() {
        deleted = true;
        if (path == null) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
            path = null;
        } catch (IOException e) {
            System.getLogger("io.hayate").log(System.Logger.Level.DEBUG, "left behind: " + path);
        }
    }
}
