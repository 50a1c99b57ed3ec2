// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Bootstrap;
import io.hayate.Exchange;
import io.hayate.Hayate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The ranks of this process, if {@code src/test/launcher/guests.sh} has started it: they tell each
 * other their records by files. A process can be told to die when one of its ranks has got the
 * records of a round, which the exchange then tells the others.
 */
public final class Guests {
    /** Directory, first rank, ranks of this process, ranks of the job. */
    private static final String VARIABLE = "HAYATE_TEST_GUESTS";
    /** Rank and round, as "2-0". */
    public static final String DIES = "HAYATE_TEST_DIES";
    private static final String DEAD = "dead";
    private static final long LIMIT = Duration.ofSeconds(60).toNanos();

    private final Path directory;
    private final int first;
    private final int count;
    private final int size;

    private Guests(String[] words) {
        directory = Path.of(words[0]);
        first = Integer.parseInt(words[1]);
        count = Integer.parseInt(words[2]);
        size = Integer.parseInt(words[3]);
    }

    /** For {@code Launch.by}: each process as the name of its node and its number of ranks. */
    public static String[] launcher(String... processes) {
        return new String[] {"src/test/launcher/guests.sh", String.join(",", processes)};
    }

    static boolean areHere() {
        return System.getenv(VARIABLE) != null;
    }

    /** Joins with each rank in a thread of its own, and runs the body there. */
    static void run(Consumer<Hayate> body) throws InterruptedException {
        Guests guests = new Guests(System.getenv(VARIABLE).split(" "));
        List<Thread> ranks = IntStream.range(guests.first, guests.first + guests.count)
                .mapToObj(rank -> new Thread(() -> body.accept(Hayate.init(
                        Bootstrap.of(rank, guests.size, guests.exchange(rank)))), "rank-" + rank))
                .toList();
        ranks.forEach(Thread::start);
        for (Thread rank : ranks) {
            rank.join();
        }
    }

    private Exchange exchange(int rank) {
        int[] rounds = {0};
        return record -> {
            int round = rounds[0]++;
            Path unfinished = directory.resolve(rank + ".part");
            Files.write(unfinished, record);
            Files.move(unfinished, file(round, rank), StandardCopyOption.ATOMIC_MOVE);
            List<byte[]> all = new ArrayList<>();
            for (int from = 0; from < size; from++) {
                all.add(read(file(round, from)));
            }
            if (file(round, rank).endsWith(System.getenv().getOrDefault(DIES, "never"))) {
                Files.createFile(directory.resolve(DEAD));
                Runtime.getRuntime().halt(3);
            }
            return all;
        };
    }

    private Path file(int round, int rank) {
        return directory.resolve(rank + "-" + round);
    }

    private byte[] read(Path file) throws IOException, InterruptedException, TimeoutException {
        long end = System.nanoTime() + LIMIT;
        while (!Files.exists(file)) {
            if (System.nanoTime() > end || Files.exists(directory.resolve(DEAD))) {
                throw new TimeoutException("no record of rank " + file.getFileName());
            }
            Thread.sleep(2);
        }
        return Files.readAllBytes(file);
    }
}
