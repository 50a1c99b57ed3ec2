// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.netlib;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import io.hayate.NativeLoadException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.natives.ForeignLibrary;
import java.util.ArrayList;
import java.util.List;

/** libscalapack, an optional library that is loaded at first use, over Hayate's BLACS. */
public final class ScaLapackLibrary {
    /** Names by which distributions install it, the most specific first. */
    private static final List<String> NAMES = List.of("libscalapack-openmpi.so.2.2",
            "libscalapack-mpich.so.2.2", "libscalapack-openmpi.so", "libscalapack-mpich.so",
            "libscalapack.so.2.2", "libscalapack.so");
    private static final String VARIABLE = "HAYATE_SCALAPACK";
    private static final String PROPERTY = "hayate.scalapack";
    /** Whoever set one of these has chosen the number of threads. */
    private static final List<String> BLAS_THREADS =
            List.of("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS");

    /** Protects {@link #busy}. */
    private static final Object CALL = new Object();

    /** Whether there is a call. ScaLAPACK has global state: one call at a time in a process. */
    private static boolean busy;

    /** The library that has passed all checks; null: none yet. */
    private static ScaLapackLibrary checked;

    private final NativeLibrary library;

    private ScaLapackLibrary(NativeLibrary library) {
        this.library = library;
    }

    /**
     * Loads the library at the first call. {@link #check} completes that.
     *
     * @throws NativeLoadException if it is not there, or cannot be used; the reason names the
     *     package
     */
    public static synchronized ScaLapackLibrary load() {
        if (checked != null) {
            return checked;
        }
        BlacsLibrary.load(); // before ScaLAPACK, so that it calls this one
        ScaLapackLibrary found = new ScaLapackLibrary(open());
        found.requireIntsOf32Bits();
        found.useOneThreadOfBlas();
        return found;
    }

    /**
     * Checks, once, that the library calls Hayate's BLACS. DESCINIT asks them for the grid of the
     * context, which others do not know; it does nothing else.
     *
     * @throws NativeLoadException if the library calls others, to which it was bound when it was
     *     linked
     */
    public void check(int context) {
        if (checked == this) {
            return;
        }
        enter("descinit");
        try (FortranCall call = new FortranCall(this, "descinit", Runnable::run)) {
            call.array("DESC", 'i', 9);
            call.integer("M", 1).integer("N", 1).integer("MB", 1).integer("NB", 1)
                    .integer("IRSRC", 0).integer("ICSRC", 0).integer("ICTXT", context)
                    .integer("LLD", 1);
            if (ForeignLibrary.keepingHandlers(call::run) != 0) {
                throw new NativeLoadException(library.getFile() + " cannot be used: it does not"
                        + " call Hayate's BLACS but those that it was linked with (statically, or"
                        + " with -Bsymbolic). Name another one in " + VARIABLE + " or -D"
                        + PROPERTY, null);
            }
        } finally {
            leave();
        }
        setChecked(this);
    }

    private static synchronized void setChecked(ScaLapackLibrary good) {
        checked = good;
    }

    private static NativeLibrary open() {
        String chosen = chosen();
        if (chosen != null) {
            try {
                return ForeignLibrary.openFile(chosen);
            } catch (LinkageError e) {
                throw new NativeLoadException("ScaLAPACK could not be loaded: " + chosen + " (named"
                        + " by " + VARIABLE + " or -D" + PROPERTY + "): " + e.getMessage(), e);
            }
        }
        return open(NAMES);
    }

    /** Opens the first library that is installed. */
    static NativeLibrary open(List<String> names) {
        List<String> reasons = new ArrayList<>();
        LinkageError last = null;
        for (String name : names) {
            try {
                return ForeignLibrary.open(name);
            } catch (IllegalStateException invalid) {
                throw new NativeLoadException(invalid.getMessage(), invalid);
            } catch (LinkageError e) {
                reasons.add(name + " (" + firstLine(e) + ")");
                last = e;
            }
        }
        throw new NativeLoadException("ScaLAPACK is not installed: install the package"
                + " libscalapack-openmpi-dev (Debian, Ubuntu), or name the file of libscalapack in "
                + VARIABLE + " or -D" + PROPERTY + "; tried " + String.join(", ", reasons), last);
    }

    private static String chosen() {
        String variable = System.getenv(VARIABLE);
        String value = variable != null && !variable.isEmpty() ? variable
                : System.getProperty(PROPERTY);
        return value == null || value.isEmpty() ? null : value;
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /**
     * Refuses a library that was compiled for integers of 64 bits, by a call with a known result:
     * of 10 rows in blocks of 3, process 0 of 2 owns 6. With a one in the upper half of the block
     * size, a library that reads 64 bits answers 10.
     */
    private void requireIntsOf32Bits() {
        try (Memory cells = new Memory(5 * Long.BYTES)) {
            long[] values = {10, 3 | 1L << Integer.SIZE, 0, 0, 2};
            cells.write(0, values, 0, values.length);
            Object[] arguments = new Object[values.length];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = cells.share((long) i * Long.BYTES);
            }
            Function numroc = function("numroc_");
            int rows = ForeignLibrary.keepingHandlers(() -> numroc.invokeInt(arguments));
            if (rows != 6) {
                throw new NativeLoadException(library.getFile() + " cannot be used: numroc of 10"
                        + " rows in blocks of 3 on 2 processes is " + rows + ", expected 6; the"
                        + " library was probably compiled for 64-bit integers (ILP64). Name one"
                        + " with 32-bit integers (LP64) in " + VARIABLE + " or -D" + PROPERTY,
                        null);
            }
        }
    }

    /** Each rank has a core or less: threads of OpenBLAS would compete with the other ranks. */
    private void useOneThreadOfBlas() {
        if (BLAS_THREADS.stream().anyMatch(name -> System.getenv(name) != null)) {
            return;
        }
        try {
            Function set = library.getFunction("openblas_set_num_threads");
            ForeignLibrary.keepingHandlers(() -> set.invokeInt(new Object[] {1}));
        } catch (UnsatisfiedLinkError other) {
            // another BLAS
        }
    }

    /** Returns a routine by the name of its symbol. */
    Function function(String symbol) {
        try {
            return library.getFunction(symbol);
        } catch (UnsatisfiedLinkError e) {
            throw new NativeLoadException(library.getFile() + " has no " + symbol + ": it is not"
                    + " ScaLAPACK, or one without this routine", e);
        }
    }

    /** Begins a call, the only one in this process, which {@link #leave} ends. */
    public static void enter(String routine) {
        synchronized (CALL) {
            requireIdle(routine);
            busy = true;
        }
    }

    public static void leave() {
        synchronized (CALL) {
            busy = false;
        }
    }

    /** Does what no call may overlap with, such as to mark a grid as closed. It must not block. */
    public static void whileIdle(String what, Runnable action) {
        synchronized (CALL) {
            requireIdle(what);
            action.run();
        }
    }

    private static void requireIdle(String what) {
        if (busy) {
            throw Errors.busy(what + ": another thread is in a call of ScaLAPACK, which serves"
                    + " one thread at a time; wait for it");
        }
    }
}
