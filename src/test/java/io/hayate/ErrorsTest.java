// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorsTest {
    private static final Path HEADER = Path.of("src/main/c/include/hayate/hayate.h");
    private static final Path FMPL_HEADER = Path.of("src/main/c/include/hayate/fmpl.h");

    private static Map<String, Integer> codesOfC() throws IOException {
        Map<String, Integer> codes = new TreeMap<>();
        Matcher matcher = Pattern.compile("HAYATE_ERR_(\\w+) = (-\\d+)")
                .matcher(Files.readString(HEADER));
        while (matcher.find()) {
            codes.put(matcher.group(1), Integer.valueOf(matcher.group(2)));
        }
        return codes;
    }

    @Test
    void should_agree_with_the_codes_of_c() throws IOException {
        Map<String, Integer> java = new TreeMap<>();
        for (ErrorCode row : ErrorCode.values()) {
            java.put(row.name(), row.code);
        }
        assertEquals(codesOfC(), java);
        assertEquals(ErrorCode.BUSY.code, FmplBinding.BUSY);
    }

    @Test
    void should_give_each_code_a_class_of_its_own_that_knows_the_code() {
        Set<Class<?>> classes = new HashSet<>();
        for (ErrorCode row : ErrorCode.values()) {
            HayateException e = Errors.exception(row.code, "because", 3);
            assertEquals(row.code, e.code());
            assertEquals("because", e.reason());
            assertEquals(3, e.peer());
            classes.add(e.getClass());
        }
        assertEquals(ErrorCode.values().length, classes.size());
    }

    @Test
    void should_not_lose_a_code_that_it_does_not_know() {
        HayateException e = Errors.exception(-63, "new", -1);
        assertSame(HayateException.class, e.getClass());
        assertEquals(-63, e.code());
    }

    @Test
    void should_have_a_name_in_c_for_each_code() {
        Hayate.version(); // loads the library
        Set<String> names = new HashSet<>();
        for (ErrorCode row : ErrorCode.values()) {
            names.add(SetupBinding.strerror(row.code));
        }
        assertEquals(ErrorCode.values().length, names.size());
        assertNotEquals(true, names.contains(SetupBinding.strerror(-63)));
    }

    @Test
    void should_number_reductions_as_c_does() throws Exception {
        String header = Files.readString(FMPL_HEADER);
        Matcher matcher = Pattern.compile(
                "enum \\{\\s*(FMPL_INT_SUM.*?)FMPL_OP_COUNT", Pattern.DOTALL).matcher(header);
        assertTrue(matcher.find());
        String[] names = matcher.group(1).trim().split("[\\s,]+");
        for (int i = 0; i < names.length; i++) {
            String name = names[i].substring("FMPL_".length());
            Reduction constant = (Reduction) Reduction.class.getField(name).get(null);
            assertEquals(i, Reduction.op(constant).operation(), name);
        }
        assertEquals(99, names.length);
    }

    @Test
    void should_take_the_reason_from_c() {
        Hayate.version();
        try (Hayate job = Hayate.init()) {
            MemoryExhaustedException e = assertThrows(
                    MemoryExhaustedException.class, () -> job.allocate(Long.MAX_VALUE / 2));
            assertTrue(e.reason().contains("symmetric heap"), e.reason());
            assertEquals(-1, e.peer());
        }
    }
}
