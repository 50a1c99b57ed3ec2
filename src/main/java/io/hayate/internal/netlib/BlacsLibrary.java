// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.netlib;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import io.hayate.NativeLoadException;
import io.hayate.internal.natives.NativeLoader;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * libhayate-blacs.so, which has the names of the BLACS that ScaLAPACK calls. All libraries that are
 * loaded after it see these names, before those of an MPI BLACS.
 */
final class BlacsLibrary {
    private static final String FILE = "libhayate-blacs.so";
    /** RTLD_NOW | RTLD_GLOBAL. */
    private static final int OPEN_FLAGS = 0x102;

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

    /**
     * Asks the linker, not /proc: the maps of a task list the libraries of other tasks as well,
     * which have linkers of their own.
     */
    private static void requireNoScaLapack() {
        AtomicBoolean found = new AtomicBoolean();
        Visitor visitor = (library, size, data) -> {
            String name = library.getPointer(Native.POINTER_SIZE).getString(0); // dlpi_name
            found.set(found.get() || name.contains("/libscalapack"));
            return 0;
        };
        NativeLibrary.getProcess().getFunction("dl_iterate_phdr")
                .invokeInt(new Object[] {visitor, null});
        if (found.get()) {
            throw new NativeLoadException("this process has loaded libscalapack already, which"
                    + " uses another BLACS: call ScaLapack.on() first", null);
        }
    }

    /** What dl_iterate_phdr calls for each library; another number than 0 ends that. */
    private interface Visitor extends Callback {
        int visit(Pointer library, NativeLong size, Pointer data);
    }
}
