// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;

/**
 * What collectives would do, by JNA, named as in {@link SetupBinding}. What is explained is an
 * address; texts are addresses, too, for {@link #take}. It has a library of its own, which jobs do
 * not load: {@link #load} comes first.
 */
public final class ExplainBinding {
    /** Code of an argument that was refused. */
    public static final long ARGUMENT = -1;
    /** Flag: what a collective of Fmpl runs, not a persistent one. */
    public static final int ORDINARY = 1;
    /** Flag: the caller's memory is not in the heap. */
    public static final int OUTSIDE = 2;
    /** Flag: a CPU for each rank. */
    public static final int SPREAD = 4;

    /** Flag: ranks go round the nodes one by one. */
    public static final int CYCLIC = 8;

    private static boolean loaded;

    private ExplainBinding() {
    }

    /**
     * Loads the library unless that was done.
     *
     * @throws io.hayate.NativeLoadException with every reason
     */
    public static synchronized void load() {
        if (!loaded) {
            Native.register(ExplainBinding.class, NativeLoader.openAnother("libhayate-explain.so"));
            loaded = true;
        }
    }

    /** The reason of this thread's last code. */
    public static native String explainError();

    /** The address of what is explained, or a code. Texts may be null. */
    public static native long explainOpen(String collective, int ranks, int root, long bytes,
            long unit, int flags, int cpus, int nodes, String net, String line,
            String ownProperty, String allProperty, String rules);

    public static native void explainClose(long explain);

    /** A text, or a code. */
    public static native long explainChoice(long explain, int most);

    /** A text, or a code. rank -1: all. */
    public static native long explainSteps(long explain, int rank, int rounds, long most);

    /** A text, or a code. */
    public static native long explainScale(long explain, int index, int ranks, int rounds,
            int generate);

    static native void explainRelease(long text);

    /** A text of the calls above, which is then gone. */
    public static String take(long text) {
        try {
            return new Pointer(text).getString(0, StandardCharsets.UTF_8.name());
        } finally {
            explainRelease(text);
        }
    }
}
