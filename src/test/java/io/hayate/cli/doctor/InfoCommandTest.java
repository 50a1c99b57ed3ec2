// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.Hayate;
import io.hayate.cli.Command;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InfoCommandTest {
    @Test
    void should_tell_version_paths_heap_and_topology() {
        Command command = Command.run("info", "--json");
        assertEquals(0, command.code(), command.err());
        JsonObject info = JsonParser.parseString(command.out()).getAsJsonObject();
        assertEquals(Hayate.version(),
                info.getAsJsonObject("library").get("version").getAsString());
        List<String> names = new ArrayList<>();
        for (JsonElement path : info.getAsJsonArray("paths")) {
            names.add(path.getAsJsonObject().get("name").getAsString());
            assertTrue(path.getAsJsonObject().get("reason").getAsString().length() > 5);
        }
        assertEquals(List.of("direct", "shm", "attach", "copy", "cma", "verbs", "ofi"), names);
        assertTrue(info.getAsJsonObject("heap").get("default_bytes").getAsLong() >= 64 << 20);
        assertTrue(info.getAsJsonObject("topology").has("source"));
    }

    private static Map<String, JsonObject> settings(Command command) {
        assertEquals(0, command.code(), command.err());
        Map<String, JsonObject> all = new HashMap<>();
        JsonParser.parseString(command.out()).getAsJsonObject().getAsJsonArray("settings")
                .forEach(one -> all.put(one.getAsJsonObject().get("name").getAsString(),
                        one.getAsJsonObject()));
        return all;
    }

    private static void assertSetting(JsonObject setting, String value, String source,
            String fallback) {
        assertEquals(value, setting.get("value").getAsString());
        assertEquals(source, setting.get("source").getAsString());
        assertEquals(fallback, setting.get("default").getAsString());
    }

    @Test
    void should_tell_of_each_setting_where_its_value_comes_from() {
        Command command = Command.run(List.of("-Dhayate.coll=arity=3",
                "-Dhayate.coll.bcast=arity=4"), Map.of("HAYATE_EAGER_LIMIT", "8K",
                "HAYATE_COLL", "arity=2", "HAYATE_WAIT", "", "HAYATE_NET_SILENCE", "never",
                "HAYATE_LGO", "debug"), "info", "--settings", "--json");
        Map<String, JsonObject> all = settings(command);
        assertSetting(all.get("HAYATE_EAGER_LIMIT"), "8K", "environment", "4K");
        assertSetting(all.get("HAYATE_WAIT"), "adaptive", "default", "adaptive");
        assertSetting(all.get("HAYATE_COLL"), "arity=2", "environment", "chosen by the cost model");
        assertSetting(all.get("HAYATE_COLL_BCAST"), "arity=4", "property hayate.coll.bcast",
                "chosen by the cost model");
        assertEquals("HAYATE_NET_SILENCE=never: expected a number from 1 to 3600 seconds",
                all.get("HAYATE_NET_SILENCE").get("problem").getAsString());
        assertTrue(all.get("HAYATE_EAGER_LIMIT").get("problem").isJsonNull());
        assertFalse(all.containsKey("HAYATE_RANK"));
        assertTrue(command.out().contains("\"unknown\":[\"HAYATE_LGO is not a setting; did you mean"
                + " HAYATE_LOG?\"]"), command.out());
    }

    @Test
    void should_show_settings_in_eighty_columns_and_obey_none_of_their_bytes() {
        Command command = Command.run(List.of(), Map.of("HAYATE_NET_DEVICE", "eth0\u001b[2J\n",
                "HAYATE_WAIT", "spin"), "info", "--settings");
        assertEquals(0, command.code(), command.err());
        assertTrue(command.out().contains("* HAYATE_NET_DEVICE = eth0?[2J? (environment; "),
                command.out());
        assertTrue(command.out().contains("* HAYATE_WAIT = spin (environment; default adaptive)\n"),
                command.out());
        assertTrue(command.out().contains("  HAYATE_NET_ADMIT = hosts (default)\n"), command.out());
        command.out().lines().filter(line -> !line.startsWith("* HAYATE_RUN")) // a path
                .forEach(line -> assertTrue(line.length() <= 80, line));
    }

    @Test
    void should_show_the_heap_that_the_job_has() {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2", "--heap", "64M", "--"));
        words.addAll(Command.words(List.of()));
        words.addAll(List.of("info", "--settings", "--json"));
        Command command = Command.run(words.toArray(String[]::new));
        assertSetting(settings(command).get("HAYATE_HEAP"), "64M", "job",
                "half of the memory divided by the number of ranks");
    }

    @Test
    void should_tell_why_the_library_cannot_be_loaded() {
        Command command = Command.run(List.of("-Dhayate.library.path=/nowhere"), Map.of(), "info");
        assertEquals(1, command.code());
        assertTrue(command.out().contains("NOT USABLE: -Dhayate.library.path=/nowhere"),
                command.out());
    }

    @Test
    void should_tell_every_rank_whom_it_reaches_and_how() {
        List<String> words = new ArrayList<>(List.of("run", "-n", "3", "--"));
        words.addAll(Command.words(List.of()));
        words.addAll(List.of("info", "--json"));
        Command command = Command.run(words.toArray(String[]::new));
        assertEquals(0, command.code(), command.err());
        List<Integer> ranks = new ArrayList<>();
        for (String line : command.out().split("\n")) {
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            ranks.add(job.get("rank").getAsInt());
            assertEquals(3, job.get("size").getAsInt());
            assertEquals("local", job.get("launcher").getAsString());
            JsonArray peers = job.getAsJsonArray("peers");
            assertEquals(2, peers.size());
            for (JsonElement peer : peers) {
                boolean single = !peer.getAsJsonObject().get("single_copy").isJsonNull();
                assertEquals(single, peer.getAsJsonObject().get("reason").isJsonNull());
                String way = peer.getAsJsonObject().get("long_messages").getAsString();
                String loads = ".* from 8192 bytes on, below that pipeline";
                String kernel = ".* from 131072 bytes on the faster of pipeline and .*";
                String expected = single ? loads + "|" + kernel : ".*because.*";
                assertTrue(way.matches(expected), way);
            }
        }
        ranks.sort(null);
        assertEquals(List.of(0, 1, 2), ranks);
    }
}
