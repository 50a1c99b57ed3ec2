// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * The defaults for jobs on this machine, by JNA, with names as in {@link SetupBinding}.
 * {@link NativeLoader#load()} must come first.
 */
public final class MachineBinding {
    static {
        Native.register(MachineBinding.class, NativeLoader.library());
    }

    private MachineBinding() {
    }

    /** Returns the number of CPUs that this process may run on. */
    public static native int machineCpus();

    /** Returns the default heap of each rank for a number of ranks, in bytes. */
    public static native long machineHeap(int ranks);

    public static native int machineAbi();
}
