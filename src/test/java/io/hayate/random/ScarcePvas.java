// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static io.hayate.random.Scarce.again;
import static io.hayate.random.ScarceMessages.equal;

import io.hayate.HeapSpan;
import io.hayate.Pvas;
import io.hayate.PvasMemory;
import io.hayate.PvasProgram;
import io.hayate.PvasTask;
import io.hayate.PvasTasks;
import io.hayate.random.Scarce.Trial;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/** Address spaces and tasks. One task exports memory, and serves all trials. */
final class ScarcePvas {
    private static final int CODE = 7;

    private final Pvas space;
    private final PvasTask exporter;

    ScarcePvas(Pvas space) {
        this.space = space;
        exporter = space.spawn(PvasTasks.java("values"));
        exporter.memory("values").close();
    }

    Map<String, Scarce> all() {
        Map<String, Scarce> all = new TreeMap<>();
        all.put("Pvas.create", place -> create());
        all.put("spawn", place -> spawn());
        all.put("PvasTask.kill", place -> kill());
        all.put("PvasTask.close", place -> closeTask());
        all.put("PvasTask.memory", place -> memory());
        all.put("PvasMemory.buffer", place -> buffer());
        all.put("PvasMemory.read", place -> read());
        all.put("PvasMemory.close", place -> closeMemory());
        all.put("export", ScarcePvas::export);
        all.put("withdraw", ScarcePvas::withdraw);
        all.put("Pvas.close", place -> closeSpace());
        return all;
    }

    void close() {
        space.close();
    }

    private static PvasProgram exits() {
        return PvasTasks.sh("exit " + CODE);
    }

    /** All that there is room for, so that one that is lost is missed. */
    private static Trial create() {
        Pvas[] made = new Pvas[1];
        return again(() -> made[0] = Pvas.create(4, 1L << 30), () -> {
            equal(CODE, made[0].spawn(exits()).await().code(), "status");
            made[0].close();
        });
    }

    private static Trial spawn() {
        Pvas small = Pvas.create(1, 1L << 30);
        PvasProgram program = exits();
        PvasTask[] task = new PvasTask[1];
        return new Trial(() -> task[0] = small.spawn(program), done -> {
            if (!done) { // the one partition is free again
                task[0] = small.spawn(program);
            }
            equal(CODE, task[0].await().code(), "status");
            small.close();
        });
    }

    private static Trial kill() {
        Pvas small = Pvas.create(1, 1L << 30);
        PvasTask task = small.spawn(PvasTasks.sh("read x; exit 7").stdin(Redirect.PIPE));
        return again(() -> { // who waits for its end needs memory for it, but does not give up
            task.kill();
            task.isAlive();
        }, () -> {
            equal(9, task.await().code(), "signal");
            equal(0, task.isAlive() ? 1 : 0, "alive");
            task.close();
            equal(CODE, small.spawn(exits()).await().code(), "status");
            small.close();
        });
    }

    private static Trial closeTask() {
        Pvas small = Pvas.create(1, 1L << 30);
        PvasTask task = small.spawn(PvasTasks.sh("read x").stdin(Redirect.PIPE));
        return again(task::close, () -> {
            equal(CODE, small.spawn(exits()).await().code(), "status");
            small.close();
        });
    }

    private Trial memory() {
        PvasMemory[] memory = new PvasMemory[1];
        return again(() -> memory[0] = exporter.memory("values"), () -> {
            equal(26, memory[0].getLongAcquire(40), "value 5");
            memory[0].close();
        });
    }

    private Trial buffer() {
        PvasMemory memory = exporter.memory("values");
        ByteBuffer[] buffer = new ByteBuffer[1];
        return again(() -> buffer[0] = memory.buffer(), () -> {
            memory.close();
            equal(26, buffer[0].getLong(40), "value 5");
        });
    }

    private Trial read() {
        PvasMemory memory = exporter.memory("values");
        ByteBuffer target = ByteBuffer.allocate(80).order(ByteOrder.nativeOrder());
        long[] word = new long[1];
        return again(() -> {
            target.clear();
            memory.read(0, target);
            word[0] = memory.getLongAcquire(40);
        }, () -> {
            equal(26, target.getLong(40), "value 5");
            equal(26, word[0], "value 5");
            memory.close();
        });
    }

    private Trial closeMemory() {
        PvasMemory memory = exporter.memory("values");
        ByteBuffer buffer = memory.buffer();
        return again(memory::close, () -> equal(26, buffer.getLong(40), "value 5"));
    }

    private static Trial export(Place place) {
        Pvas small = Pvas.create(1, 1L << 30);
        HeapSpan memory = place.job().allocate(100);
        return new Trial(() -> small.export("name", memory), done -> {
            small.withdraw("name");
            memory.close();
            small.close();
        });
    }

    private static Trial withdraw(Place place) {
        Pvas small = Pvas.create(1, 1L << 30);
        HeapSpan memory = place.job().allocate(100);
        small.export("name", memory);
        return again(() -> small.withdraw("name"), () -> {
            memory.close();
            small.close();
        });
    }

    private static Trial closeSpace() {
        Pvas small = Pvas.create(2, 1L << 30);
        PvasTask task = small.spawn(PvasTasks.sh("read x").stdin(Redirect.PIPE));
        return again(small::close, () -> {
            equal(0, task.isAlive() ? 1 : 0, "alive");
            Pvas.create(2, 1L << 30).close();
        });
    }
}
