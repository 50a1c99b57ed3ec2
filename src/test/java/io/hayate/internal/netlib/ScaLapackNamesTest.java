// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.netlib;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.NativeLoadException;
import io.hayate.internal.natives.NativeLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaLapackNamesTest {
    @Test
    void should_name_the_package_when_nothing_is_installed() {
        NativeLoader.load();
        String reason = assertThrows(NativeLoadException.class, () -> ScaLapackLibrary.open(
                List.of("libscalapack-none.so.2", "libscalapack-none.so"))).reason();
        assertTrue(reason.startsWith("ScaLAPACK is not installed: install the package"
                + " libscalapack-openmpi-dev (Debian, Ubuntu), or name"), reason);
        assertTrue(reason.contains("libscalapack-none.so.2 (") && reason.contains(
                ", libscalapack-none.so ("), reason);
    }
}
