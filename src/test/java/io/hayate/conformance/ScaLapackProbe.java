// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.ArgumentException;
import io.hayate.Grid;
import io.hayate.NativeLoadException;
import io.hayate.scalapack.ScaLapack;
import org.junit.jupiter.api.Assumptions;

/** Finds out whether this machine has libscalapack, which scripts/test.sh installs if it can. */
public final class ScaLapackProbe {
    /** A grid that the BLACS do not know. */
    private record NoGrid(int context, int rows, int columns, int row, int column) implements Grid {
    }

    /** Skips the test, with the reason, where the library is missing. */
    public static void need() {
        try {
            ScaLapack.on(new NoGrid(0, 1, 1, 0, 0));
        } catch (NativeLoadException missing) {
            Assumptions.abort(missing.reason());
        } catch (ArgumentException refused) {
            Assumptions.assumeTrue(refused.reason().contains("not one of the BLACS"),
                    refused.reason());
        }
    }
}
