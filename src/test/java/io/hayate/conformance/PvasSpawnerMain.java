// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.HayateException;
import io.hayate.Pvas;
import io.hayate.PvasMemory;
import io.hayate.PvasProgram;
import io.hayate.PvasTask;
import io.hayate.PvasTasks;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A JVM that spawns tasks. */
public final class PvasSpawnerMain {
    private static final int THREADS = 4;
    private static final int CALLS = 400;

    private final AtomicReference<Pvas> space = new AtomicReference<>();
    private final AtomicReference<PvasTask> task = new AtomicReference<>();
    private final AtomicReference<PvasTask> machine = new AtomicReference<>();
    private final AtomicReference<PvasMemory> memory = new AtomicReference<>();
    private final AtomicReference<ByteBuffer> buffer = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger succeeded = new AtomicInteger();

    private PvasSpawnerMain() {
    }

    /** What to do, and how often, or with which seed. */
    public static void main(String[] arguments) throws Exception {
        int number = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "load" -> load(number);
            case "sleep" -> sleep(number, Long.MAX_VALUE);
            case "exit" -> sleep(number, 0);
            case "chaos" -> new PvasSpawnerMain().chaos(number);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Tasks, and ordinary children, while memory is allocated and collected. */
    private static void load(int tasks) throws Exception {
        Thread litter = new Thread(PvasSpawnerMain::litter);
        litter.setDaemon(true);
        litter.start();
        int good = 0;
        try (Pvas space = Pvas.create()) {
            for (int i = 0; i < tasks; i++) {
                Process child = i % 10 == 0
                        ? new ProcessBuilder("/bin/sh", "-c", "exit " + i % 50).start() : null;
                PvasProgram program = PvasTasks.sh("read x; echo $x; exit " + i % 100)
                        .stdin(Redirect.PIPE).stdout(Redirect.PIPE);
                try (PvasTask task = space.spawn(program)) {
                    task.stdin().write((i + "\n").getBytes());
                    task.stdin().close();
                    String said = new String(task.stdout().readAllBytes()).trim();
                    boolean told = task.await().code() == i % 100;
                    boolean other = child == null || child.waitFor() == i % 50;
                    good += told && other && said.equals(Integer.toString(i)) ? 1 : 0;
                }
            }
        }
        System.out.println("GOOD " + good);
    }

    private static void litter() {
        List<byte[]> kept = new ArrayList<>();
        Random random = new Random(3);
        while (true) {
            kept.add(new byte[random.nextInt(100_000)]);
            if (kept.size() > 500) {
                kept.subList(0, 400).clear();
                ByteBuffer.allocateDirect(10_000);
            }
            if (random.nextInt(5000) == 0) {
                System.gc();
            }
        }
    }

    private static void sleep(int tasks, long millis) throws InterruptedException {
        Pvas space = Pvas.create();
        for (int i = 0; i < tasks; i++) {
            PvasTask task = space.spawn(PvasProgram.of("/bin/sleep", "1000"));
            System.out.println("TASK " + task.pid());
        }
        Thread.sleep(millis);
    }

    private interface Action {
        void run(Random random) throws Exception;
    }

    private final List<Action> actions = List.of(
            random -> task.set(space.get().spawn(PvasProgram.of("/bin/sleep", "100"))),
            random -> task.set(space.get().spawn(PvasTasks.sh("exit 3").stdout(Redirect.PIPE))),
            random -> task.get().memory("x", Duration.ofMillis(random.nextInt(3))),
            random -> task.get().kill(random.nextInt(16)),
            random -> task.get().status(),
            random -> task.get().stdout().read(),
            random -> await(task.get()),
            random -> memory.set(machine.get().memory("values", Duration.ZERO)
                    .orElse(null)),
            random -> memory.set(machine.get().memory("values")),
            random -> buffer.set(memory.get().buffer()),
            random -> buffer.set(buffer.get().slice()),
            random -> touch(buffer.get()),
            random -> touch(buffer.get()),
            random -> memory.get().read(8, ByteBuffer.allocate(5000)),
            random -> memory.get().write(8, ByteBuffer.allocateDirect(5000)),
            random -> memory.get().putLongRelease(0, memory.get().getLongAcquire(8)),
            random -> space.get().export("n" + random.nextInt(200), direct(random)),
            random -> space.get().withdraw("n" + random.nextInt(200)));

    private final List<Action> closes = List.of(
            random -> task.get().close(),
            random -> task.get().close(),
            random -> memory.get().close(),
            random -> machine.get().kill(),
            random -> machine.get().close(),
            random -> machine.set(space.get().spawn(PvasTasks.java("values"))),
            random -> space.get().close(),
            random -> space.set(Pvas.create(4 + random.nextInt(20), 0)),
            random -> forget(),
            random -> System.gc());

    private void forget() {
        task.set(null);
        machine.set(null);
        memory.set(null);
    }

    private static ByteBuffer direct(Random random) {
        return ByteBuffer.allocateDirect(1 + random.nextInt(10_000));
    }

    private static void touch(ByteBuffer memory) {
        memory.putLong(0, memory.getLong(memory.limit() - 8));
    }

    private static void await(PvasTask task) throws Exception {
        try {
            task.ended().get(2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException expected) {
            // most of them sleep
        }
    }

    private void call(Action action, Random random) {
        try {
            action.run(random);
            succeeded.incrementAndGet();
        } catch (HayateException | NullPointerException | IOException expected) {
            // NullPointerException: of this program, whose objects come and go
        } catch (Throwable e) {
            wrong.add(e);
        }
    }

    private void play(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < CALLS && wrong.isEmpty(); i++) {
            List<Action> list = random.nextInt(12) == 0 ? closes : actions;
            call(list.get(random.nextInt(list.size())), random);
        }
    }

    private void chaos(long seed) throws InterruptedException {
        space.set(Pvas.create());
        machine.set(space.get().spawn(PvasTasks.java("values")));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long own = seed * 100 + i;
            threads.add(new Thread(() -> play(own)));
            threads.get(i).setDaemon(true);
            threads.get(i).start();
        }
        for (Thread thread : threads) {
            for (thread.join(1000); thread.isAlive(); thread.join(1000)) {
                call(random -> machine.get().close(), null); // ends what waits for ever
                call(random -> task.get().close(), null);
            }
        }
        wrong.forEach(Throwable::printStackTrace);
        System.out.println((wrong.isEmpty() ? "SURVIVED " : "WRONG ") + succeeded + " calls");
        System.exit(wrong.isEmpty() && succeeded.get() > CALLS / 4 ? 0 : 1);
    }
}
