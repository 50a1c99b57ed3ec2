// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests this JVM as the creator of an address space, with shells and similar programs as tasks. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PvasTest {
    private static final PvasStatus KILLED = new PvasStatus(false, 9, false);
    private static final int MANY = 200;
    /** e_type of an ELF file, and two of its values. */
    private static final int ELF_TYPE = 16;
    private static final byte ELF_EXECUTABLE = 2;
    private static final byte ELF_SHARED = 3;

    @TempDir private Path directory;
    private Pvas space;

    @BeforeEach
    void open() {
        space = PvasTasks.create();
    }

    @AfterEach
    void close() {
        if (space != null) {
            space.close();
        }
    }

    private String output(PvasProgram program) throws IOException {
        try (PvasTask task = space.spawn(program)) {
            String output = PvasTasks.output(task);
            assertEquals(0, task.await().shellCode(), output);
            return output;
        }
    }

    private static <T extends HayateException> void refused(
            Class<T> type, String reason, Executable call) {
        T e = assertThrows(type, call);
        assertTrue(e.reason().contains(reason), e.reason());
    }

    @Test
    void should_give_the_exit_status_of_a_program() throws Exception {
        try (PvasTask task = space.spawn(PvasTasks.sh("exit 7"))) {
            assertEquals(new PvasStatus(true, 7, false), task.await());
            assertEquals(Optional.of(task.await()), task.status());
            assertEquals(7, task.ended().get(120, TimeUnit.SECONDS).code());
            assertFalse(task.isAlive());
            assertTrue(task.toString().endsWith("exited with 7"), task.toString());
        }
    }

    @Test
    void should_pass_arguments_as_they_are() throws IOException {
        String script = "printf '%s|' \"$0\" \"$@\"";
        PvasProgram program = PvasTasks.sh(script, "", "a b", "$HOME", "\u00e4")
                .stdout(Redirect.PIPE);
        assertEquals("|a b|$HOME|\u00e4|", output(program));
    }

    @Test
    void should_set_and_remove_variables_of_the_environment() throws IOException {
        PvasProgram program = PvasTasks.piped("echo \"$NEW|${HOME-none}|${PATH+inherited}\"")
                .environment("NEW", "x=y").environment("HOME", null);
        assertEquals("x=y|none|inherited\n", output(program));
        PvasProgram env = PvasProgram.of("/usr/bin/env").environment("NONE", "0")
                .emptyEnvironment().environment("ONE", "1").environment("TWO", "2")
                .environment("THREE", null).stdout(Redirect.PIPE);
        assertEquals("ONE=1\nTWO=2\n", output(env));
    }

    @Test
    void should_start_in_a_directory() throws IOException {
        assertEquals(directory.toRealPath() + "\n",
                output(PvasTasks.piped("pwd -P").directory(directory)));
    }

    /** Whoever opens a FIFO waits until somebody opens the other end. */
    @Test
    void should_close_while_a_spawn_waits_for_a_fifo() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        FutureTask<PvasTask> spawn = new FutureTask<>(
                () -> space.spawn(PvasTasks.sh("exit 0").stdin(Redirect.from(fifo.toFile()))));
        Thread thread = new Thread(spawn);
        thread.setDaemon(true);
        thread.start();
        while (Stream.of(thread.getStackTrace()).noneMatch(
                frame -> frame.getMethodName().startsWith("pvas") && frame.isNativeMethod())
                && !spawn.isDone()) {
            Thread.onSpinWait();
        }
        assertFalse(spawn.isDone(), "the spawn has not waited");
        space.export("other", ByteBuffer.allocateDirect(8));
        space.close();
        Files.newOutputStream(fifo).close();
        Throwable end = assertThrows(ExecutionException.class, spawn::get).getCause();
        assertEquals(ClosedException.class, end.getClass());
    }

    @Test
    void should_talk_through_pipes() throws IOException {
        PvasProgram cat = PvasProgram.of("/bin/cat").stdin(Redirect.PIPE).stdout(Redirect.PIPE);
        try (PvasTask task = space.spawn(cat)) {
            try (OutputStream in = task.stdin()) {
                in.write("hello\n".getBytes(StandardCharsets.UTF_8));
            }
            assertEquals("hello\n", PvasTasks.output(task));
            assertTrue(task.await().good());
            assertThrows(StateException.class, task::stderr);
        }
    }

    @Test
    void should_redirect_streams_to_files() throws IOException {
        Path in = Files.writeString(directory.resolve("in"), "text\n");
        Path out = directory.resolve("out");
        PvasProgram program = PvasTasks.sh("cat; echo problem >&2")
                .stdin(Redirect.from(in.toFile())).stdout(Redirect.to(out.toFile())).stderr(null);
        for (int i = 0; i < 2; i++) {
            assertTrue(space.spawn(program).await().good());
            assertEquals("text\nproblem\n", Files.readString(out));
        }
        program.stdout(Redirect.appendTo(out.toFile())).stderr(Redirect.DISCARD);
        assertTrue(space.spawn(program).await().good());
        assertEquals("text\nproblem\ntext\n", Files.readString(out));
    }

    @Test
    void should_keep_both_outputs_apart() throws IOException {
        PvasProgram program = PvasTasks.piped("echo out; echo err >&2").stderr(Redirect.PIPE);
        try (PvasTask task = space.spawn(program)) {
            assertEquals("out\n", PvasTasks.output(task));
            assertEquals("err\n", new String(task.stderr().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void should_survive_the_crash_of_a_task() {
        try (PvasTask task = space.spawn(PvasTasks.sh("kill -SEGV $$"))) {
            PvasStatus status = task.await();
            assertFalse(status.exited());
            assertEquals(11, status.code());
        }
        assertTrue(space.spawn(PvasProgram.of("/bin/true")).await().good());
    }

    @Test
    void should_send_signals() {
        try (PvasTask task = space.spawn(PvasProgram.of("/bin/sleep", "100"));
                PvasTask other = space.spawn(PvasProgram.of("/bin/sleep", "100"))) {
            assertTrue(task.isAlive());
            assertEquals(Optional.empty(), task.status());
            assertThrows(HayateException.class, () -> task.kill(12345));
            task.kill(3);
            other.kill();
            assertEquals(3, task.await().code());
            assertEquals(KILLED, other.await());
            task.kill();
        }
    }

    @Test
    void should_give_tasks_processes_of_their_own() throws IOException {
        try (PvasTask task = space.spawn(PvasTasks.piped("echo $$"))) {
            assertEquals(task.pid() + "\n", PvasTasks.output(task));
            assertTrue(task.pid() != ProcessHandle.current().pid());
        }
    }

    @Test
    void should_complete_futures_without_regard_to_what_is_done_with_them() throws Exception {
        try (PvasTask task = space.spawn(PvasTasks.sh("read x; exit 4").stdin(Redirect.PIPE))) {
            CompletableFuture<PvasStatus> cancelled = task.ended();
            CompletableFuture<PvasStatus> forced = task.ended();
            CompletableFuture<String> name = task.ended().thenApply(status ->
                    Thread.currentThread().getName());
            CompletableFuture<PvasStatus> end = task.ended();
            cancelled.cancel(true);
            forced.complete(KILLED);
            assertFalse(end.isDone());
            task.stdin().close();
            assertEquals(4, end.get(120, TimeUnit.SECONDS).code());
            assertFalse(name.get(120, TimeUnit.SECONDS).equals("hayate-pvas"));
        }
    }

    @Test
    void should_spawn_many_tasks_and_leave_nothing() throws Exception {
        space.close();
        space = PvasTasks.create(MANY);
        warmUp();
        List<String> descriptors = PvasTasks.descriptors();
        long size = PvasTasks.addressSpaceKb();
        List<CompletableFuture<PvasStatus>> ends = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            PvasTask task = space.spawn(PvasTasks.sh("exit " + i % 100).stdout(Redirect.PIPE));
            int expected = i % 100;
            ends.add(task.ended().whenComplete((status, failure) -> {
                task.close();
                assertEquals(expected, status.code());
            }));
        }
        for (CompletableFuture<PvasStatus> end : ends) {
            assertTrue(end.get(60, TimeUnit.SECONDS).exited());
        }
        assertEquals(descriptors, PvasTasks.descriptors());
        long left = PvasTasks.addressSpaceKb() - size;
        assertTrue(left < 8 << 20, left + " KiB were left"); // a thread may have mapped an arena
    }

    private void warmUp() {
        for (int i = 0; i < 4; i++) {
            try (PvasTask task = space.spawn(PvasTasks.sh("exit 0").stdout(Redirect.PIPE))) {
                assertTrue(task.await().good());
            }
        }
    }

    @Test
    void should_give_tasks_back_that_nobody_closes() throws Exception {
        try (Pvas small = PvasTasks.create(2)) {
            for (int i = 0; i < 20; i++) {
                assertTrue(small.spawn(PvasTasks.piped("echo x")).await().good());
            }
        }
    }

    @Test
    void should_say_when_there_is_no_room() throws Exception {
        try (Pvas small = PvasTasks.create(1)) {
            PvasProgram sleep = PvasProgram.of("/bin/sleep", "100");
            PvasTask first = small.spawn(sleep);
            assertThrows(MemoryExhaustedException.class, () -> small.spawn(sleep));
            assertTrue(first.isAlive());
            first.close();
            small.spawn(sleep).close();
        }
    }

    @Test
    void should_end_waits_when_the_space_is_closed() throws Exception {
        PvasTask task = space.spawn(PvasProgram.of("/bin/sleep", "100").stdin(Redirect.PIPE));
        CompletableFuture<PvasStatus> end = task.ended();
        FutureTask<PvasStatus> waiter = started(new FutureTask<>(task::await));
        FutureTask<PvasMemory> looker = started(new FutureTask<>(() -> task.memory("nothing")));
        space.close();
        assertTrue(PvasTasks.isGone(task.pid()));
        assertEquals(KILLED, end.get(120, TimeUnit.SECONDS));
        assertEquals(KILLED, waiter.get(120, TimeUnit.SECONDS));
        Throwable thrown = assertThrows(Exception.class, () -> looker.get(120, TimeUnit.SECONDS))
                .getCause();
        assertTrue(thrown instanceof ClosedException || thrown instanceof PeerFailedException,
                String.valueOf(thrown));
    }

    private static <T> FutureTask<T> started(FutureTask<T> task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @Test
    void should_refuse_use_after_close() {
        PvasTask open = space.spawn(PvasProgram.of("/bin/sleep", "100"));
        PvasTask closed = space.spawn(PvasProgram.of("/bin/sleep", "100"));
        closed.close();
        closed.close();
        assertEquals(KILLED, closed.await());
        assertThrows(ClosedException.class, closed::kill);
        assertThrows(ClosedException.class, () -> closed.memory("x"));
        assertThrows(ClosedException.class, () -> closed.memory("x", Duration.ZERO));
        space.close();
        space.close();
        assertEquals(KILLED, open.await());
        assertThrows(ClosedException.class, open::kill);
        assertThrows(ClosedException.class, () -> space.spawn(PvasProgram.of("/bin/true")));
        assertThrows(ClosedException.class, () -> space.export("x", ByteBuffer.allocateDirect(8)));
        assertThrows(ClosedException.class, () -> space.withdraw("x"));
        open.close();
    }

    @Test
    void should_refuse_programs_that_cannot_be_tasks() throws IOException {
        refused(SystemFailureException.class, "No such file",
                () -> space.spawn(PvasProgram.of("/nowhere/at/all")));
        refused(SystemFailureException.class, "/nowhere",
                () -> space.spawn(PvasTasks.sh("true").directory(Path.of("/nowhere"))));
        refused(SystemFailureException.class, "/nowhere/x", () -> space.spawn(
                PvasTasks.sh("true").stdin(Redirect.from(Path.of("/nowhere/x").toFile()))));
        refused(SystemFailureException.class, "/nowhere/x", () -> space.spawn(
                PvasTasks.sh("true").stdout(Redirect.to(Path.of("/nowhere/x").toFile()))));
        assertThrows(HayateException.class, () -> space.spawn(PvasProgram.of("/")));
        assertThrows(HayateException.class, () -> space.spawn(PvasProgram.of("")));
        Path text = Files.writeString(directory.resolve("text"), "no program");
        assertTrue(text.toFile().setExecutable(true));
        assertThrows(HayateException.class, () -> space.spawn(PvasProgram.of(text.toString())));
        Path plain = Files.writeString(directory.resolve("plain"), "#!/bin/sh\nexit 0\n");
        assertThrows(SystemFailureException.class,
                () -> space.spawn(PvasProgram.of(plain.toString())));
    }

    @Test
    void should_leave_no_descriptors_of_spawns_that_failed() throws IOException {
        warmUp();
        List<String> descriptors = PvasTasks.descriptors();
        for (int i = 0; i < 20; i++) {
            assertThrows(SystemFailureException.class, () -> space.spawn(
                    PvasProgram.of("/nowhere").stdin(Redirect.PIPE).stdout(Redirect.PIPE)
                            .stderr(Redirect.PIPE)));
            assertThrows(SystemFailureException.class, () -> space.spawn(
                    PvasTasks.sh("true").stdin(Redirect.PIPE).stdout(Redirect.PIPE)
                            .stderr(Redirect.to(Path.of("/nowhere/x").toFile()))));
        }
        assertEquals(descriptors, PvasTasks.descriptors());
    }

    @Test
    void should_run_scripts_by_their_interpreter() throws IOException {
        Path script = Files.writeString(directory.resolve("script"),
                "#!/bin/sh\necho \"$1 from $0\"\n");
        assertTrue(script.toFile().setExecutable(true));
        assertEquals("hello from " + script + "\n",
                output(PvasProgram.of(script.toString(), "hello").stdout(Redirect.PIPE)));
    }

    /** What -no-pie makes: the same file, with a type that says that it must lie where it says. */
    @Test
    void should_refuse_a_program_of_fixed_position() throws IOException {
        byte[] shell = Files.readAllBytes(Path.of("/bin/sh"));
        assertEquals(ELF_SHARED, shell[ELF_TYPE], "/bin/sh is position-independent");
        shell[ELF_TYPE] = ELF_EXECUTABLE;
        Path fixed = Files.write(directory.resolve("fixed"), shell);
        assertTrue(fixed.toFile().setExecutable(true));
        refused(UnsupportedException.class, "-fPIE -pie",
                () -> space.spawn(PvasProgram.of(fixed.toString(), "-c", "exit 0")));
    }

    @Test
    void should_refuse_wrong_arguments() {
        assertThrows(ArgumentException.class, () -> space.spawn(null));
        assertThrows(ArgumentException.class, () -> space.spawn(PvasProgram.of("a\0b")));
        assertThrows(ArgumentException.class, () -> space.spawn(PvasTasks.sh("a\0b")));
        assertThrows(ArgumentException.class,
                () -> space.spawn(PvasTasks.sh("true").environment("A", "\0")));
        assertThrows(ArgumentException.class, () -> Pvas.create(-1, 0));
        assertThrows(ArgumentException.class, () -> Pvas.create(0, -1));
        assertThrows(ArgumentException.class, () -> Pvas.create(0, 12345));
        refused(ArgumentException.class, "4097 tasks", () -> Pvas.create(4097, 0));
        assertThrows(ArgumentException.class, () -> space.export(null, Span.of(direct())));
        assertThrows(ArgumentException.class, () -> space.export("", direct()));
        assertThrows(ArgumentException.class, () -> space.export("x".repeat(64), direct()));
        assertThrows(ArgumentException.class, () -> space.export("x", (Span) null));
        assertThrows(ArgumentException.class, () -> space.export("x", (ByteBuffer) null));
        assertThrows(ArgumentException.class, () -> space.export("x", Span.of(new byte[8])));
        assertThrows(ArgumentException.class, () -> space.export("x", ByteBuffer.allocate(8)));
        assertThrows(ArgumentException.class, () -> space.export("x", direct().asReadOnlyBuffer()));
        assertThrows(ArgumentException.class, () -> space.withdraw(null));
        space.withdraw("nobody exports this");
    }

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(64);
    }

    @Test
    void should_refuse_wrong_questions_for_memory() {
        try (PvasTask task = space.spawn(PvasProgram.of("/bin/sleep", "100"))) {
            assertThrows(ArgumentException.class, () -> task.memory(null));
            assertThrows(ArgumentException.class, () -> task.memory("", Duration.ZERO));
            assertThrows(ArgumentException.class, () -> task.memory("x", null));
            assertThrows(ArgumentException.class, () -> task.memory("x", Duration.ofMillis(-1)));
            assertEquals(Optional.empty(), task.memory("x", Duration.ZERO));
            assertEquals(Optional.empty(), task.memory("x", Duration.ofMillis(20)));
            task.kill();
            assertThrows(PeerFailedException.class, () -> task.memory("x"));
            assertThrows(PeerFailedException.class,
                    () -> task.memory("x", Duration.ofSeconds(Long.MAX_VALUE)));
        }
    }

    @Test
    void should_have_several_spaces_and_give_dropped_ones_back() {
        try (Pvas other = Pvas.create(); PvasTask task = other.spawn(PvasTasks.sh("exit 2"))) {
            assertEquals(2, task.await().code());
        }
        for (int i = 0; i < 4; i++) {
            assertTrue(Pvas.create(0, 0).spawn(PvasTasks.sh("exit 0")).await().good());
        }
    }

    @Test
    void should_have_one_thread_only_while_there_are_tasks() throws Exception {
        List<PvasTask> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tasks.add(space.spawn(PvasProgram.of("/bin/sleep", "100")));
        }
        assertEquals(1, waitingThreads());
        tasks.forEach(PvasTask::close);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (waitingThreads() > 0) {
            assertTrue(System.nanoTime() < end, "the thread does not end");
            Thread.sleep(50);
        }
        assertEquals(6, space.spawn(PvasTasks.sh("exit 6")).await().code());
    }

    private static long waitingThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("hayate-pvas")).count();
    }

    @Test
    void should_be_no_task_itself() {
        assertFalse(Pvas.isTask());
        assertThrows(StateException.class, Pvas::self);
    }

    @Test
    void should_keep_a_heap_span_open_while_it_is_exported() {
        try (Hayate job = Hayate.init()) {
            HeapSpan memory = job.allocate(4096);
            space.export("heap", memory);
            assertThrows(BusyException.class, memory::close);
            space.withdraw("heap");
            memory.close();
            assertThrows(ClosedException.class, () -> space.export("heap", memory));
            HeapSpan other = job.allocate(4096);
            space.export("heap", other);
            space.close();
            other.close();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void should_not_hold_carriers_while_virtual_threads_wait() throws Exception {
        PvasTask task = space.spawn(PvasTasks.sh("read x; exit 5").stdin(Redirect.PIPE));
        List<FutureTask<?>> waiters = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            waiters.add(i % 2 == 0 ? PvasTasks.virtually(task::await)
                    : PvasTasks.virtually(() -> assertThrows(HayateException.class,
                            () -> task.memory("nothing"))));
        }
        FutureTask<Boolean> last = PvasTasks.virtually(() -> {
            task.stdin().close();
            return true;
        });
        assertTrue(last.get(120, TimeUnit.SECONDS), "the carriers are held");
        for (FutureTask<?> waiter : waiters) {
            assertNotNull(waiter.get(120, TimeUnit.SECONDS));
        }
        assertEquals(5, task.await().code());
    }
}
