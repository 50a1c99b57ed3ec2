// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import io.hayate.internal.errors.ErrorBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Loads the native library once, the same copy for JNI and JNA. Two versions of Hayate, or two
 * class loaders, each load a separate file, so that they never share state.
 */
public final class NativeLoader {
    static final String PROPERTY = "hayate.library.path";
    static final String FILE = "libhayate.so";
    /** RTLD_NOW without RTLD_GLOBAL: another version's symbols must not mix with these. */
    private static final int OPEN_FLAGS = 2;

    private static volatile NativeLibrary library;
    private static NativeLoadException failure;

    private NativeLoader() {
    }

    /**
     * Loads the library at the first call.
     *
     * @throws NativeLoadException if that fails, with every reason; each further call throws it
     *     again
     */
    public static void load() {
        if (library == null) {
            loadOnce();
        }
    }

    public static NativeLibrary library() {
        load();
        return library;
    }

    private static synchronized void loadOnce() {
        if (failure != null) {
            throw new NativeLoadException(failure.reason(), failure.getCause());
        }
        if (library != null) {
            return;
        }
        try {
            String version = ClassPath.version();
            NativeLibrary found = find();
            requireVersion(version, found);
            ErrorBinding.peer(); // so that the first failure finds it initialised
            InterruptBinding.setUp();
            library = found;
        } catch (NativeLoadException e) {
            failure = e;
            throw e;
        }
    }

    private static NativeLibrary find() {
        String platform = NativePlatform.require();
        JnaLibrary.require();
        String chosen = System.getProperty(PROPERTY);
        if (chosen != null && !chosen.isEmpty()) {
            return loadChosen(chosen);
        }
        return NativeFile.ofPlatform(platform, FILE).unpackAndOpen(UnpackPlaces.all());
    }

    /** Refuses a library that was built with other classes; it need not have their functions. */
    private static void requireVersion(String expected, NativeLibrary found) {
        String actual = version(found);
        if (expected.isEmpty() || actual.equals(expected)) {
            return;
        }
        String chosen = System.getProperty(PROPERTY, "");
        throw new NativeLoadException("the classes of Hayate have version " + expected + ", and "
                + FILE + (chosen.isEmpty() ? " of the jar" : " of -D" + PROPERTY + "=" + chosen)
                + " has version " + actual + "; use the library of the same version"
                + (chosen.isEmpty() ? "" : ", or omit the property"), null);
    }

    private static String version(NativeLibrary library) {
        try {
            return library.getFunction(functionName("version")).invokeString(null, false);
        } catch (UnsatisfiedLinkError noFunction) {
            return "(none: it is no library of Hayate)";
        }
    }

    /** Loads another library of the jar, for JNA alone, from the place of the first one. */
    public static NativeLibrary openAnother(String name) {
        return openAnother(name, OPEN_FLAGS);
    }

    /** Does the same with flags of dlopen(). */
    public static NativeLibrary openAnother(String name, int flags) {
        load();
        String chosen = System.getProperty(PROPERTY);
        if (chosen != null && !chosen.isEmpty()) {
            Path path = Path.of(chosen);
            Path directory = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
            return open(readable(directory.resolve(name), chosen), flags);
        }
        return NativeFile.ofPlatform(NativePlatform.name(), name)
                .unpackAndOpenForJna(UnpackPlaces.all(), flags);
    }

    private static NativeLibrary loadChosen(String chosen) {
        Path path = Paths.of(chosen).orElseThrow(() -> new NativeLoadException(
                "-D" + PROPERTY + ": " + Paths.fault(chosen), null));
        Path file = readable(Files.isDirectory(path) ? path.resolve(FILE) : path, chosen);
        try {
            System.load(file.toString());
        } catch (LinkageError e) {
            Glibc.requireNoOtherPlace(file.toString(), e);
            throw new NativeLoadException(
                    "-D" + PROPERTY + "=" + chosen + ": " + e.getMessage(), e);
        }
        JnaLibrary.loadBeside(file.getParent(), UnpackPlaces.all());
        return open(file);
    }

    private static Path readable(Path file, String chosen) {
        if (!Files.isReadable(file)) {
            throw new NativeLoadException(
                    "-D" + PROPERTY + "=" + chosen + ": no readable file "
                            + file.toAbsolutePath() + "; name " + FILE + " or its directory, or"
                            + " omit the property", null);
        }
        return file.toAbsolutePath();
    }

    /** Loads for JNA what was loaded for JNI: the system opens the same file only once. */
    static NativeLibrary open(Path file) {
        return open(file, OPEN_FLAGS);
    }

    static NativeLibrary open(Path file, int flags) {
        try {
            return NativeLibrary.getInstance(file.toString(), Map.of(
                    Library.OPTION_OPEN_FLAGS, flags,
                    Library.OPTION_FUNCTION_MAPPER, (FunctionMapper) (lib, method) ->
                            functionName(method.getName())));
        } catch (LinkageError e) {
            Glibc.requireNoOtherPlace(file.toString(), e);
            throw JnaLibrary.unusable(e, "");
        }
    }

    static String functionName(String method) {
        StringBuilder name = new StringBuilder("hayate_binding_");
        for (char c : method.toCharArray()) {
            if (Character.isUpperCase(c)) {
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        return name.toString();
    }
}
