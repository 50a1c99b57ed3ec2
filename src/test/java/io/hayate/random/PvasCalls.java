// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Pvas;
import io.hayate.PvasMemory;
import io.hayate.PvasProgram;
import io.hayate.PvasStatus;
import io.hayate.PvasTask;
import io.hayate.PvasTasks;
import io.hayate.Span;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Address spaces, tasks, and their memory. */
final class PvasCalls extends CallTable {
    private static final int SPACES = 3;
    private static final int TASKS = 6;
    private static final long ROOM = 1L << 30;
    /** Of the memory: below only read; behind, a word of each thread. */
    private static final int READ_ONLY_WORDS = 1000;
    /** One that exports memory, and serves all rounds: to start it takes long. */
    private static PvasTask exporter;

    private final AtomicReferenceArray<Pvas> spaces = new AtomicReferenceArray<>(SPACES);
    private final Set<Pvas> closed = ConcurrentHashMap.newKeySet();
    private final List<Long> pids = Collections.synchronizedList(new ArrayList<>());

    /** A task, and how it ends if nobody kills it. */
    private final class Kept {
        final Pvas space;
        final PvasTask task;
        final int code;
        volatile boolean killed;

        Kept(Pvas space, PvasProgram program, int code) {
            this.space = space;
            this.code = code;
            task = space.spawn(program);
            pids.add(task.pid());
        }

        void check() {
            PvasStatus status = task.await();
            if (code >= 0 && !status.exited() && (killed || closed.contains(space))) {
                return;
            }
            if (code >= 0 && (!status.exited() || status.code() != code)) {
                throw new AssertionError("expected exit " + code + ": " + task);
            }
        }
    }

    PvasCalls(long seed) {
        synchronized (PvasCalls.class) {
            if (exporter == null) {
                exporter = Pvas.create(1, 0).spawn(PvasTasks.java("values"));
                exporter.memory("values").close();
            }
        }
        for (int i = 0; i < SPACES; i++) {
            spaces.set(i, Pvas.create(TASKS, ROOM));
        }
        call("create", this::create);
        call("spawn", this::spawn);
        call("spawn nonsense", this::spawnNonsense);
        call("echo", this::echo);
        call("memory", this::memory);
        call("read", this::read);
        call("write", this::write);
        call("misuse memory", this::misuse);
        call("export", this::export);
        call("ask", this::ask);
        call("kill", this::kill);
        call("close", this::closeOne);
        call("collect", chance -> collect(chance));
        wait("await", this::await);
        wait("memory that never comes",
                chance -> new Kept(space(chance), sleeper(), -1).task.memory("never"));
    }

    private Pvas space(Chance chance) {
        return spaces.get(chance.below(SPACES));
    }

    private static PvasProgram sleeper() {
        return PvasTasks.sh("read x").stdin(Redirect.PIPE);
    }

    private void create(Chance chance) {
        Pvas.create(chance.index(8), chance.oneIn(2) ? ROOM : chance.offset(1L << 42)).close();
    }

    private void spawn(Chance chance) {
        int code = chance.below(256);
        keep(chance.oneIn(3) ? new Kept(space(chance), sleeper(), -1)
                : new Kept(space(chance), PvasTasks.sh("exit " + code)
                        .environment("A", chance.of("b", "", null, "=", "\u00e4"))
                        .ownGroup(chance.oneIn(2)), code));
    }

    private void spawnNonsense(Chance chance) {
        String path = chance.of("/bin/sh", "", "/nonexistent", "/dev/null", "/etc/passwd", "sh",
                "/proc/self/exe", "/", "a\0b", null, "/bin/sh/x");
        PvasProgram program = PvasProgram.of(path, chance.of("-c", "\0", "", null), "exit 3")
                .environment(chance.of("X", "", "a=b", "c\0", null), chance.of("v", "\0", null))
                .directory(chance.of(null, Path.of("/"), Path.of("/nonexistent"), Path.of("")))
                .stackBytes(chance.offset(1 << 20))
                .stdin(chance.of(Redirect.PIPE, Redirect.from(Path.of("/nowhere").toFile()),
                        Redirect.from(Path.of("/dev/null").toFile()), Redirect.DISCARD, null))
                .stdout(chance.of(Redirect.DISCARD, Redirect.to(Path.of("/x/y").toFile()), null))
                .stderr(chance.of(Redirect.DISCARD, null));
        keep(new Kept(space(chance), program, -1));
    }

    /** What goes in comes out, or only its beginning if somebody ends the task. */
    private void echo(Chance chance) throws Exception {
        PvasTask task = new Kept(space(chance), PvasProgram.of("/bin/cat").stdin(Redirect.PIPE)
                .stdout(Redirect.PIPE), -1).task;
        byte[] text = new byte[1 + chance.below(2000)];
        Arrays.fill(text, (byte) ('a' + chance.thread));
        byte[] back;
        try (OutputStream in = task.stdin()) {
            in.write(text);
        }
        back = task.stdout().readAllBytes();
        boolean whole = task.await().good();
        if (whole ? !Arrays.equals(text, back)
                : !Arrays.equals(back, Arrays.copyOf(text, back.length))) {
            throw new AssertionError(text.length + " bytes went in, other " + back.length
                    + " came out of " + task);
        }
        task.close();
    }

    private void memory(Chance chance) {
        String name = chance.of("values", "values", "values", "", null, "nothing", "x".repeat(64),
                "a\0b", "\u20ac");
        Duration most = chance.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofNanos(-1), null);
        Kept other = any(Kept.class, chance);
        PvasTask task = chance.oneIn(4) && other != null ? other.task : exporter;
        task.memory(name, most).ifPresent(this::keep);
    }

    private void read(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory == null) {
            return;
        }
        int first = chance.below(READ_ONLY_WORDS - 10);
        ByteBuffer words = ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder());
        if (chance.oneIn(2)) {
            words.put(memory.buffer(8L * first, 80)).flip();
        } else {
            memory.read(8L * first, words);
            words.flip();
        }
        for (int i = 0; i < 10; i++) {
            long index = first + i;
            if (words.getLong(8 * i) != index * index + 1) {
                throw new AssertionError("word " + index + " is " + words.getLong(8 * i));
            }
        }
    }

    private void write(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory == null) {
            return;
        }
        long at = 8L * (READ_ONLY_WORDS + chance.thread);
        long value = chance.random.nextLong();
        switch (chance.below(3)) {
            case 0 -> memory.putLongRelease(at, value);
            case 1 -> memory.write(at, ByteBuffer.allocate(8).order(ByteOrder.nativeOrder())
                    .putLong(0, value));
            default -> memory.buffer().putLong((int) at, value);
        }
        if (memory.getLongAcquire(at) != value) {
            throw new AssertionError("the word at " + at + " is not what was written");
        }
    }

    /** Nothing of this may write. */
    private void misuse(Chance chance) {
        PvasMemory memory = any(PvasMemory.class, chance);
        if (memory == null) {
            return;
        }
        long beyond = memory.bytes() + chance.below(100) - 7;
        switch (chance.below(7)) {
            case 0 -> memory.getLongAcquire(chance.offset(memory.bytes()));
            case 1 -> memory.getIntAcquire(chance.offset(memory.bytes()));
            case 2 -> memory.putLongRelease(beyond, 1);
            case 3 -> memory.putIntRelease(-chance.below(100) - 1, 1);
            case 4 -> memory.read(chance.offset(memory.bytes()), chance.of(ByteBuffer.allocate(8),
                    ByteBuffer.allocate(8).asReadOnlyBuffer(), null));
            case 5 -> memory.write(beyond, chance.orNull(ByteBuffer.allocate(8)));
            default -> memory.buffer(chance.offset(memory.bytes()), chance.index(100));
        }
    }

    private void export(Chance chance) {
        String name = chance.of("a", "b", "", null, "y".repeat(63), "z".repeat(64), "\0");
        ByteBuffer memory = ByteBuffer.allocateDirect(chance.below(100));
        switch (chance.below(5)) {
            case 0 -> space(chance).export(name, Span.of(new byte[8]));
            case 1 -> space(chance).export(name, memory.asReadOnlyBuffer());
            case 2 -> space(chance).export(name, (Span) null);
            case 3 -> space(chance).withdraw(name);
            default -> space(chance).export(name, memory);
        }
    }

    private void ask(Chance chance) throws IOException {
        if (chance.oneIn(4)) {
            if (Pvas.isTask()) {
                throw new AssertionError("nobody's task");
            }
            Pvas.self();
        }
        Kept kept = any(Kept.class, chance);
        if (kept == null) {
            return;
        }
        kept.task.ended().cancel(true);
        kept.task.status().ifPresent(status -> kept.check());
        switch (chance.below(4)) {
            case 0 -> kept.task.stdin().close();
            case 1 -> kept.task.stdout();
            case 2 -> kept.task.stderr();
            default -> kept.task.toString();
        }
    }

    private void kill(Chance chance) {
        Kept kept = any(Kept.class, chance);
        if (kept != null) {
            kept.killed = true;
            kept.task.kill(chance.oneIn(3) ? 9 : chance.index(70));
        }
    }

    private void closeOne(Chance chance) {
        Kept kept = any(Kept.class, chance);
        PvasMemory memory = any(PvasMemory.class, chance);
        if (chance.oneIn(30)) {
            close(spaces.getAndSet(chance.below(SPACES), Pvas.create(TASKS, ROOM)));
        } else if (kept != null && chance.oneIn(2)) {
            kept.killed = true;
            kept.task.close();
        } else if (memory != null) {
            memory.close();
        }
    }

    private void close(Pvas space) {
        closed.add(space);
        space.close();
    }

    private void collect(Chance chance) {
        if (chance.oneIn(20)) {
            forget();
            System.gc();
        }
    }

    private void await(Chance chance) {
        Kept kept = any(Kept.class, chance);
        if (kept != null) {
            kept.check();
        }
    }

    @Override
    boolean permits(Throwable thrown) {
        return thrown instanceof IOException || thrown instanceof ReadOnlyBufferException;
    }

    @Override
    void close() {
        for (int i = 0; i < SPACES; i++) {
            close(spaces.get(i));
        }
    }

    /** No task outlives its space. */
    @Override
    void check() {
        forget();
        for (long pid : pids) {
            if (!PvasTasks.isGone(pid)) {
                throw new AssertionError("task " + pid + " is left");
            }
        }
    }
}
