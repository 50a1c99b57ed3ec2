// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that measure say of their options, before they measure or build anything. */
final class BenchOptionsTest {
    private record Result(int code, String text) {}

    private static Result run(String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("scripts/" + script));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        if (!ended) { // it measures
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertTrue(ended, script + " has begun to measure");
        byte[] text = process.getInputStream().readAllBytes();
        return new Result(process.exitValue(), new String(text, StandardCharsets.UTF_8).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench.sh", "bench/coll.sh", "bench/farm.sh", "bench/footprint.sh",
        "bench/growth.sh", "bench/guard.sh", "bench/memory.sh", "bench/nas.sh",
        "bench/put-get.sh", "bench/threads.sh", "bench/ways.sh"})
    void should_tell_its_options(String script) throws Exception {
        Result help = run(script, "--help");
        assertEquals(0, help.code());
        assertTrue(help.text().startsWith("usage: scripts/" + script), help.text());
        assertEquals(new Result(2, help.text()), run(script, "--nonsense"));
        assertEquals(new Result(2, "--out: expected a directory"), run(script, "--out"));
    }

    @ParameterizedTest
    @CsvSource({"bench.sh, --rounds, 100, a number from 1 to 99",
        "bench.sh, --only, '', a regular expression",
        "bench/coll.sh, --ranks, '2,65', numbers from 2 to 64",
        "bench/coll.sh, --minutes, 1.x, a number",
        "bench/coll.sh, --repetitions, 0, a number from 1 to 99",
        "bench/farm.sh, --ms, -5, a number", "bench/footprint.sh, --bytes, '8,', numbers",
        "bench/growth.sh, --most-ranks, all, a number",
        "bench/guard.sh, --minutes, 5m, a number from 1 to 99",
        "bench/memory.sh, --class, C, 'S, W, A or B'",
        "bench/memory.sh, --ranks, 1000, numbers up to 999",
        "bench/nas.sh, --rounds, 0, a number from 1 to 99",
        "bench/put-get.sh, --ranks, '4,16', numbers",
        "bench/threads.sh, --path, udp, 'shm, tcp or verbs'",
        "bench/threads.sh, --threads, '1 65', numbers from 1 to 64"})
    void should_refuse_a_bad_value(String script, String option, String value, String expected)
            throws Exception {
        assertEquals(new Result(2, option + ": expected " + expected + ", not '" + value + "'"),
                run(script, option, value));
    }

    @ParameterizedTest
    @CsvSource({"12, '--bytes: multiples of 8 up to 65536, not ''12'''",
        "65544, '--bytes: multiples of 8 up to 65536, not ''65544'''",
        "'8,x', '--bytes: numbers, not ''8 x'''"})
    void should_refuse_bytes_that_threads_cannot_put(String bytes, String reason) throws Exception {
        assertEquals(new Result(2, reason), run("bench/threads.sh", "--bytes", bytes));
    }
}
