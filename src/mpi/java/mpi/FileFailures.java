// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.errors.ErrorBinding;
import io.hayate.internal.natives.NativeLoader;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which error class of MPI an exception of the file system has. Where Java has no exception, its
 * message is the text of the C library, in the language of the process, by which it is found.
 */
final class FileFailures {
    private static final Map<Integer, Integer> CLASSES = Map.of(
            1, ErrorClass.ACCESS, // EPERM
            20, ErrorClass.BAD_FILE, // ENOTDIR
            21, ErrorClass.BAD_FILE, // EISDIR
            28, ErrorClass.NO_SPACE, // ENOSPC
            30, ErrorClass.READ_ONLY, // EROFS
            36, ErrorClass.BAD_FILE, // ENAMETOOLONG
            40, ErrorClass.BAD_FILE, // ELOOP
            122, ErrorClass.QUOTA); // EDQUOT

    /** In which Java reads the texts of the system. */
    private static final Charset ENCODING =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

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
                : CLASSES.entrySet().stream().filter(each -> text.endsWith(words(each.getKey())))
                        .map(Map.Entry::getValue).findFirst().orElse(ErrorClass.IO);
    }

    private static String words(int errno) {
        NativeLoader.load();
        return new String(ErrorBinding.ofSystem(errno), ENCODING);
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
