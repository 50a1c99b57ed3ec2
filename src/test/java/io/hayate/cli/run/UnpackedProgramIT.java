// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Command;
import io.hayate.conformance.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnpackedProgramIT {
    @TempDir
    private Path temporary;

    /** Never closes what it has unpacked. */
    static final class Unpacking {
        public static void main(String[] args) throws InterruptedException {
            System.out.println(UnpackedProgram.of("hayate-delegatee", "libhayate.so").file());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** As by Ctrl-C. Whoever runs tests may ignore it, and so all that he starts: env ends that. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void should_leave_nothing_behind_when_a_signal_ends_the_virtual_machine(String signal)
            throws Exception {
        Process process = start(signal);
        try {
            Path file = Path.of(process.inputReader().readLine());
            assertTrue(Files.isExecutable(file), file.toString());
            assertEquals(temporary, file.getParent().getParent());
            RunningJob.signal(signal, process.pid());
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it should end");
            assertEquals(List.of(), unpacked());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(String signal) throws IOException {
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=" + signal));
        words.addAll(Command.words(List.of("-Djava.io.tmpdir=" + temporary)));
        words.set(words.size() - 1, Unpacking.class.getName());
        return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private List<Path> unpacked() throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(file -> file.getFileName().toString().startsWith("hayate-")).toList();
        }
    }
}
