// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * libhayate-blacs.so, which has the names of the BLACS that ScaLAPACK calls. All libraries that are
 * loaded after it see these names, before those of an MPI BLACS.
 */
final class BlacsLibrary {
    private static final String FILE = "libhayate-blacs.so";
    /** RTLD_NOW | RTLD_GLOBAL. */
    private static final int OPEN_FLAGS = 0x102;
    private static final Path MAPS = Path.of("/proc/self/maps");

    private static boolean loaded;

    private BlacsLibrary() {
    }

    /**
     * Loads the library at the first call that succeeds.
     *
     * @throws NativeLoadException if that fails, or another BLACS is in its place
     */
    static synchronized void load() {
        if (!loaded) {
            requireFirst();
            NativeLoader.openAnother(FILE, OPEN_FLAGS);
            loaded = true;
        }
    }

    /** ScaLAPACK would call the BLACS that was loaded first, which does not know our contexts. */
    private static void requireFirst() {
        NativeLoader.load(); // loads the native library of JNA as well
        try {
            NativeLibrary.getProcess().getFunction("Cblacs_pinfo");
        } catch (UnsatisfiedLinkError none) {
            requireNoScaLapack();
            return;
        }
        throw new NativeLoadException("this process has loaded another BLACS, which ScaLAPACK would"
                + " use: start it without --blacs and without an LD_PRELOAD of a BLACS", null);
    }

    private static void requireNoScaLapack() {
        try (Stream<String> lines = Files.lines(MAPS, StandardCharsets.ISO_8859_1)) {
            if (lines.anyMatch(line -> line.contains("/libscalapack"))) {
                throw new NativeLoadException("this process has loaded libscalapack already, which"
                        + " uses another BLACS: call ScaLapack.on() first", null);
            }
        } catch (IOException unknown) {
            // without /proc, the library may be there: nobody can tell
        }
    }
}
