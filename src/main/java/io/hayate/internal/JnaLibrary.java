// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.hayate.NativeLoadException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * JNA's own library. JNA would unpack it with the mode that the umask leaves, into a directory that
 * others may enter; so it is unpacked here, and JNA is told where it is. That is done by properties
 * of the whole virtual machine: directories that the user has named there come first, and once JNA
 * is loaded they are as he has set them. If the program has loaded JNA before, they change nothing.
 */
final class JnaLibrary {
    private static final String FILE = "libjnidispatch.so";
    private static final String PATH = "jna.boot.library.path";
    private static final String TEMPORARY = "jna.tmpdir";
    private static final String NO_UNPACKING = "jna.nounpack";
    private static final String NO_SYSTEM = "jna.nosys";
    /** One for the virtual machine, as its properties are: class loaders may load several of us. */
    private static final Object LOCK = JnaLibrary.class.getName().intern();

    private JnaLibrary() {
    }

    /**
     * Asks for the jar only.
     *
     * @throws NativeLoadException it is not there
     */
    static void require() {
        try {
            Class.forName(Native.class.getName(), false, JnaLibrary.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw unusable(e, "");
        }
    }

    /** Unless the user wants none unpacked, or the system's if there is one. */
    static void unpackInto(PrivateDirectory directory) throws IOException {
        boolean jarFirst = Boolean.parseBoolean(System.getProperty(NO_SYSTEM, "true"));
        if (Boolean.getBoolean(NO_UNPACKING) || !jarFirst) {
            return;
        }
        try (InputStream in = Platform.class.getResourceAsStream(
                "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + FILE)) {
            if (in != null) {
                directory.add(FILE, in);
            }
        }
    }

    /** If JNA unpacks one all the same, that is done in the directory, too. */
    static void loadFrom(PrivateDirectory directory) {
        load(directory.path(), TEMPORARY, directory.path().toString(), "");
    }

    /**
     * Loads the one in a directory; if there is none, one that is unpacked; and where that cannot
     * be done whatever JNA finds by itself.
     */
    static void loadBeside(Path directory, Iterable<Path> places) {
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

    /** As they were before; null: not set. */
    private static Map<String, String> set(Map<String, String> properties) {
        Map<String, String> before = new HashMap<>();
        properties.forEach((name, value) -> before.put(name, value == null
                ? System.clearProperty(name) : System.setProperty(name, value)));
        return before;
    }

    static NativeLoadException unusable(Throwable e, String reasons) {
        return new NativeLoadException("JNA cannot be used: " + e + reasons
                + "; its jar must be on the class path, and its own library, which is in that"
                + " jar, loadable: set -D" + TEMPORARY + " to a directory that can be written and"
                + " is not mounted noexec, or -D" + PATH + " to one with the " + FILE
                + " of the jar (com/sun/jna/linux-...), or put that beside " + NativeLoader.FILE,
                e);
    }
}
