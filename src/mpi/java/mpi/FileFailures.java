// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Which error class of MPI an exception of the file system has. */
final class FileFailures {
    /** Words of the system for what Java has no exception for. */
    private static final Map<String, Integer> WORDS = Map.of(
            "No space left", ErrorClass.NO_SPACE,
            "quota exceeded", ErrorClass.QUOTA,
            "Read-only file system", ErrorClass.READ_ONLY,
            "Operation not permitted", ErrorClass.ACCESS,
            "Is a directory", ErrorClass.BAD_FILE,
            "Not a directory", ErrorClass.BAD_FILE,
            "name too long", ErrorClass.BAD_FILE,
            "levels of symbolic links", ErrorClass.BAD_FILE);

    private FileFailures() {
    }

    static MPIException of(IOException why, Path path) {
        String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return new MPIException(errorClass(why, text), explained(why, path, text), why);
    }

    static MPIException directory(Path path) {
        return new MPIException(ErrorClass.BAD_FILE, "\"" + path + "\" is a directory: expected the"
                + " name of a file");
    }

    private static int errorClass(IOException why, String text) {
        return why instanceof NoSuchFileException ? ErrorClass.NO_SUCH_FILE
                : why instanceof FileAlreadyExistsException ? ErrorClass.FILE_EXISTS
                : why instanceof AccessDeniedException ? ErrorClass.ACCESS
                : why instanceof ClosedChannelException ? ErrorClass.FILE
                : WORDS.entrySet().stream().filter(word -> text.contains(word.getKey()))
                        .map(Map.Entry::getValue).findFirst().orElse(ErrorClass.IO);
    }

    private static String explained(IOException why, Path path, String text) {
        String file = "the file \"" + path + "\" ";
        return why instanceof NoSuchFileException
                ? file + "does not exist: open it with MODE_CREATE, or give another name"
                : why instanceof FileAlreadyExistsException
                ? file + "exists: open it without MODE_EXCL, or delete it first"
                : why instanceof AccessDeniedException
                ? file + "may not be used in this way: check its rights and those of its folder"
                : why instanceof ClosedChannelException
                ? file + "was closed by another thread: expected an open one"
                : file + "cannot be used: " + text;
    }
}
