// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.NativeLoadException;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.bindings.SetupBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFileTest {
    @Test
    void should_list_every_place_with_its_reason_when_none_works(@TempDir Path directory)
            throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Set<String> places = new LinkedHashSet<>(List.of(directory.resolve("absent").toString(),
                file.toString()));
        NativeLoadException e = assertThrows(NativeLoadException.class,
                () -> NativeFile.ofPlatform(NativePlatform.name(), NativeLoader.FILE)
                        .unpackAndOpen(places));
        for (String place : places) {
            assertTrue(e.reason().contains(place + ": "), e.reason());
        }
        assertTrue(e.reason().contains("-Djava.io.tmpdir"), e.reason());
        assertTrue(e.reason().contains("-Dhayate.library.path"), e.reason());
        assertEquals(-9, e.code());
    }

    @Test
    void should_say_that_the_build_has_no_library_for_a_platform() {
        NativeLoadException e = assertThrows(NativeLoadException.class,
                () -> NativeFile.ofPlatform("linux-vax", NativeLoader.FILE));
        assertTrue(e.reason().contains("linux-vax"), e.reason());
    }

    @Test
    void should_load_one_copy_for_jni_and_jna() {
        NativeLoader.load();
        assertEquals(MemoryBinding.identity(), SetupBinding.identity());
    }

    @Test
    void should_map_names_of_methods_to_functions() {
        assertEquals("hayate_binding_job_heap_free", NativeLoader.functionName("jobHeapFree"));
    }
}
