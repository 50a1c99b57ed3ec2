// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.cli.Main;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ProbeMain;
import io.hayate.conformance.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what a run needs of the machine, and what it leaves there. */
class EnvironmentIT {
    /** Entries of Hayate in the places that are shared with others. */
    private static Set<String> shared() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String place : List.of("/dev/shm", "/var/tmp")) {
            try (Stream<Path> files = Files.list(Path.of(place))) {
                names.addAll(files.map(Path::toString).filter(name -> name.contains("hayate")
                        || name.contains("jna")).collect(Collectors.toSet()));
            }
        }
        return names;
    }

    /** Other tests, and other users, come and go there meanwhile: what stays is told. */
    private static void assertNothingNew(Set<String> before) throws Exception {
        Set<String> after = shared();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!before.containsAll(after) && System.nanoTime() < end) {
            Thread.sleep(100);
            after.retainAll(shared());
        }
        after.removeAll(before);
        assertEquals(Set.of(), after);
    }

    @Test
    void should_write_nothing_by_itself() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "quiet").ranks(2).unchecked().run().good();
        assertEquals(List.of(), outcome.out());
        assertEquals(List.of(), outcome.err());
    }

    @Test
    void should_leave_nothing_behind() throws Exception {
        Set<String> before = shared();
        Outcome outcome = Launch.of(ProbeMain.class, "quiet").ranks(2).run().good();
        assertEquals(List.of(), outcome.left());
        assertNothingNew(before);
    }

    @Test
    void should_leave_nothing_behind_when_everything_is_killed() throws Exception {
        Set<String> before = shared();
        RunningJob job = Launch.of(ProbeMain.class, "wait").ranks(2).start();
        for (String pid : job.await("^READY (\\d+)", 2)) {
            kill(Long.parseLong(pid));
        }
        kill(job.pid());
        assertEquals(List.of(), job.finish().left());
        assertNothingNew(before);
    }

    /** Some end by themselves when the others do. */
    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** A mount namespace of its own for the job, in which a command is run first. */
    private static Launch mounted(String command) throws Exception {
        return mounted(command, Launch.of(ProbeMain.class, "quiet").ranks(2));
    }

    private static Launch mounted(String command, Launch launch) throws Exception {
        assumeTrue(succeeds("unshare", "-m", "sh", "-c", command),
                "needs the right to run unshare -m and: " + command);
        return launch.before("unshare", "-m", "sh", "-c", command + " && exec \"$@\"", "sh");
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(120, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Test
    void should_work_with_a_small_shared_memory_file_system() throws Exception {
        mounted("mount -t tmpfs -o size=64m tmpfs /dev/shm").options("--heap", "1G").run().good();
    }

    @Test
    void should_work_without_a_shared_memory_file_system() throws Exception {
        mounted("while mountpoint -q /dev/shm; do umount -l /dev/shm || exit; done").run().good();
    }

    private static final String NOEXEC = "mount -t tmpfs -o noexec tmpfs /mnt";

    @Test
    void should_work_with_a_temporary_directory_that_cannot_execute() throws Exception {
        mounted(NOEXEC).jvm("-Djava.io.tmpdir=/mnt").run().good();
    }

    @Test
    void should_tell_of_a_temporary_directory_that_cannot_execute() throws Exception {
        Outcome outcome = mounted(NOEXEC, Launch.of(Main.class, "doctor").ranks(0).unchecked())
                .jvm("-Djava.io.tmpdir=/mnt").run();
        assertTrue(outcome.out().stream().anyMatch(line -> line.matches(
                ".*temp.*/mnt cannot be used: .*noexec.*")), outcome::describe);
    }

    @Test
    void should_not_let_another_user_in() throws Exception {
        assumeTrue(succeeds("setpriv", "--reuid=65534", "--clear-groups", "true"),
                "needs the right to become another user with setpriv");
        RunningJob job = Launch.of(ProbeMain.class, "wait").ranks(1).start();
        String pid = job.await("^READY (\\d+)", 1).get(0);
        String look = "for f in /proc/" + pid + "/fd/* /proc/" + pid + "/map_files/*; do "
                + "head -c 1 \"$f\" >/dev/null 2>&1 && exit 0; done; exit 1";
        assertTrue(succeeds("sh", "-c", "ls -l /proc/" + pid + "/fd | grep -q memfd:hayate"),
                "the segment is not where this test looks for it");
        assertNotEquals(true, succeeds("setpriv", "--reuid=65534", "--regid=65534",
                "--clear-groups", "sh", "-c", look), "another user could read a descriptor");
        RunningJob.signal("KILL", job.pid());
        job.finish();
    }
}
