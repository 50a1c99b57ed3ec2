// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.hayate.internal.natives.ToolsLibrary;
import java.nio.charset.StandardCharsets;

/**
 * The explanation of collectives, by JNA, with names as in {@link SetupBinding}. An explanation is
 * an address; texts are addresses as well, for {@link #take}. {@link ToolsLibrary#load()} must come
 * first.
 */
public final class ExplainBinding {
    static {
        Native.register(ExplainBinding.class, ToolsLibrary.library());
    }

    /** The code of an invalid argument. */
    public static final long ARGUMENT = -1;
    /** Flag: an ordinary collective of Fmpl, not a persistent one. */
    public static final int ORDINARY = 1;
    /** Flag: the memory of the caller is outside the heap. */
    public static final int OUTSIDE = 2;
    /** Flag: each rank has a CPU. */
    public static final int SPREAD = 4;

    /** Flag: ranks are distributed over the nodes in turn. */
    public static final int CYCLIC = 8;

    private ExplainBinding() {
    }

    /** Returns the address of an explanation, or a code. Texts may be null. */
    public static native long explainOpen(String collective, int ranks, int root, long bytes,
            long unit, int flags, int cpus, int nodes, String net, String line,
            String ownProperty, String allProperty, String rules);

    public static native void explainClose(long explain);

    /** Returns a text, or a code. */
    public static native long explainChoice(long explain, int most);

    /** Returns a text, or a code. rank -1: all ranks. */
    public static native long explainSteps(long explain, int rank, int rounds, long most);

    /** Returns a text, or a code. */
    public static native long explainScale(long explain, int index, int ranks, int rounds,
            int generate);

    static native void explainRelease(long text);

    /** Returns a text of the calls above, and frees it. */
    public static String take(long text) {
        try {
            return new Pointer(text).getString(0, StandardCharsets.UTF_8.name());
        } finally {
            explainRelease(text);
        }
    }
}
