// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Request;
import io.hayate.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Rank 0 sends a long message to rank 1, which has posted the receive into the symmetric heap and
 * then makes no call of Hayate until the send has returned. Arguments: what rank 1 does meanwhile,
 * {@code collect} (collections of garbage) or {@code stopped} (its process stands still), and the
 * file by which rank 0 says that it has sent. Rank 1 says {@code PAUSED} and whether the send
 * returned, {@code ARRIVED} and whether all data were right.
 */
public final class PausedMain {
    private static final int BYTES = 4 << 20;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /** Entry of a rank. */
    public static void main(String[] arguments) throws Exception {
        boolean stopped = arguments[0].equals("stopped");
        Path sent = Path.of(arguments[1]);
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                HeapSpan data = job.allocate(BYTES)) {
            if (job.rank() == 0) {
                send(fmpl, data, stopped, sent);
            } else {
                receive(fmpl, data, sent);
            }
        }
    }

    private static void send(Fmpl fmpl, HeapSpan data, boolean stopped, Path sent)
            throws IOException, InterruptedException {
        long[] pid = new long[1];
        fmpl.recv(Span.of(pid), 1, 1);
        for (int i = 0; i < BYTES / 8; i++) {
            data.putLong(8L * i, 3L * i);
        }
        if (stopped) {
            stop(pid[0]);
        }
        fmpl.send(data, 1, 0);
        Files.createFile(sent);
        if (stopped) {
            RunningJob.signal("CONT", pid[0]);
        }
    }

    /** It is continued after the limit at the latest, so that a send that waits for it ends. */
    private static void stop(long pid) throws IOException, InterruptedException {
        Path stat = Path.of("/proc/" + pid + "/stat");
        RunningJob.signal("STOP", pid);
        while (!Files.readString(stat).matches("(?s).*\\) T .*")) {
            Thread.onSpinWait();
        }
        Thread limit = new Thread(() -> {
            try {
                TimeUnit.NANOSECONDS.sleep(LIMIT_NS);
                RunningJob.signal("CONT", pid);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        limit.setDaemon(true);
        limit.start();
    }

    private static void receive(Fmpl fmpl, HeapSpan data, Path sent) {
        Request request = fmpl.irecv(data, 0, 0);
        fmpl.send(Span.of(new long[] {ProcessHandle.current().pid()}), 0, 1);
        long start = System.nanoTime();
        while (Files.notExists(sent) && System.nanoTime() - start < LIMIT_NS) {
            System.gc();
        }
        System.out.println("PAUSED " + Files.exists(sent));
        boolean right = request.await() == BYTES;
        for (int i = 0; i < BYTES / 8; i++) {
            right &= data.getLong(8L * i) == 3L * i;
        }
        System.out.println("ARRIVED " + right);
    }
}
