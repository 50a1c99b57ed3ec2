// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.hayate.NativeLoadException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The native library of JNA. JNA would unpack it with a mode that depends on the umask, into a
 * directory that others may enter. Therefore this class unpacks it, and passes its path to JNA by
 * system properties. Directories that the user has set in these properties come first, and the
 * values of the user are restored when JNA is loaded. If the program has loaded JNA before, the
 * properties have no effect.
 */
final class JnaLibrary {
    private static final String FILE = "libjnidispatch.so";
    private static final String PATH = "jna.boot.library.path";
    private static final String TEMPORARY = "jna.tmpdir";
    private static final String NO_UNPACKING = "jna.nounpack";
    private static final String NO_SYSTEM = "jna.nosys";
    /**
     * One lock for the whole JVM, as for its properties: several class loaders may load this class.
     */
    private static final Object LOCK = JnaLibrary.class.getName().intern();

    private JnaLibrary() {
    }

    /**
     * Requires the jar of JNA.
     *
     * @throws NativeLoadException if it is not on the class path
     */
    static void require() {
        try {
            Class.forName(Native.class.getName(), false, JnaLibrary.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw unusable(e, ClassPath.damaged());
        }
    }

    /**
     * Returns whether to unpack the library, unless the user has disabled that or prefers the
     * library of the system.
     */
    static void unpackInto(PrivateDirectory directory) throws IOException {
        boolean jarFirst = Boolean.parseBoolean(System.getProperty(NO_SYSTEM, "true"));
        if (Boolean.getBoolean(NO_UNPACKING) || !jarFirst) {
            return;
        }
        URL inJar = Platform.class.getResource(
                "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + FILE);
        if (inJar == null) {
            return;
        }
        try (InputStream in = CheckedResource.open(inJar)) {
            directory.add(FILE, in);
        }
    }

    /** Lets JNA use the same directory if it unpacks a library itself. */
    static void loadFrom(PrivateDirectory directory) {
        load(directory.path(), TEMPORARY, directory.path().toString(), "");
    }

    /**
     * Loads the library in a directory if there is one; otherwise unpacks it; if that fails, loads
     * the library that JNA finds itself.
     */
    static void loadBeside(Path directory, Iterable<String> places) {
        String reasons = "";
        if (!Files.isReadable(directory.resolve(FILE))) {
            try {
                PrivateDirectory.first(places, JnaLibrary::unpackAndLoad);
                return;
            } catch (IOException e) {
                reasons = "; it could not be unpacked in " + e.getMessage();
            }
        }
        load(directory, NO_UNPACKING, "true", reasons);
    }

    private static Void unpackAndLoad(PrivateDirectory directory) throws IOException {
        try (directory) {
            unpackInto(directory);
            loadFrom(directory);
            return null;
        }
    }

    private static void load(Path directory, String property, String value, String reasons) {
        synchronized (LOCK) {
            String named = System.getProperty(PATH);
            String path = named == null ? directory.toString()
                    : named + File.pathSeparator + directory;
            Map<String, String> before = set(Map.of(PATH, path, property, value));
            try {
                Class.forName(Native.class.getName());
            } catch (ClassNotFoundException | LinkageError e) {
                throw unusable(e, reasons);
            } finally {
                set(before);
            }
        }
    }

    /** Restores the previous values of the properties; null: not set. */
    private static Map<String, String> set(Map<String, String> properties) {
        Map<String, String> before = new HashMap<>();
        properties.forEach((name, value) -> before.put(name, value == null
                ? System.clearProperty(name) : System.setProperty(name, value)));
        return before;
    }

    static NativeLoadException unusable(Throwable e, String reasons) {
        return new NativeLoadException("JNA cannot be used: " + e + reasons
                + "; its jar must be on the class path, and the native library in that jar must be"
                + " loadable: set -D" + TEMPORARY + " to a writable directory that is not mounted"
                + " noexec, or -D" + PATH + " to a directory with the " + FILE
                + " of the jar (com/sun/jna/linux-...), or put that file next to"
                + " " + NativeLoader.FILE,
                e);
    }
}
