// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void should_keep_any_text_through_a_parser() {
        String text = "\"quoted\" back\\slash\ttab\nline \u0000\u001f\u007f é 疾風 \ud83d\ude80";
        JsonObject read = JsonParser.parseString(Json.of(Map.of("text", text))).getAsJsonObject();
        assertEquals(text, read.get("text").getAsString());
    }

    @Test
    void should_stay_in_one_line() {
        assertFalse(Json.of(Map.of("text", "a\nb\r\u2028")).contains("\n"));
    }

    @Test
    void should_keep_the_order_of_names_and_nest() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", List.of(true, Map.of(), List.of()));
        map.put("n", null);
        assertEquals("{\"z\":1,\"a\":[true,{},[]],\"n\":null}", Json.of(map));
    }

    @Test
    void should_write_numbers_that_json_has() {
        assertEquals("[0.1235,12345678.0000,null,null,-7]",
                Json.of(List.of(0.12345678, 12345678.0, Double.NaN, Double.POSITIVE_INFINITY, -7)));
    }
}
