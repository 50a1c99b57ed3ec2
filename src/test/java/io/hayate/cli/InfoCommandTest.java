// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.Hayate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InfoCommandTest {
    @Test
    void shouldTellVersionPathsHeapAndTopology() {
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

    @Test
    void shouldTellWhyTheLibraryCannotBeLoaded() {
        Command command = Command.run(List.of("-Dhayate.library.path=/nowhere"), Map.of(), "info");
        assertEquals(1, command.code());
        assertTrue(command.out().contains("NOT USABLE: -Dhayate.library.path=/nowhere"),
                command.out());
    }

    @Test
    void shouldTellEveryRankWhomItReachesAndHow() {
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
                assertTrue(way.contains(single ? " from 8192 bytes on" : "because"), way);
            }
        }
        ranks.sort(null);
        assertEquals(List.of(0, 1, 2), ranks);
    }
}
