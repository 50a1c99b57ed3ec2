/* SPDX-License-Identifier: Apache-2.0 */
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A player of the referee in Java (see ../README.md), by the rules of ../c/player.c: obeys the
 * orders, and has a library perform the calls.
 */
final class Player {
    /** Larger ones are checked once: that takes its time. */
    static final long CHECKED_AGAIN = 256 << 10;
    /** What the compilers of a JVM with a core of its own get before anything is measured. */
    private static final long WARM_UP_NS = 2_000_000_000L;
    /** Calls by which an operation is learnt, before its first case and before others. */
    private static final int FIRST_CALLS = 2000;
    private static final int MORE_CALLS = 200;
    private static final long WARMED = 64 << 10;

    /** Series of one library, and what the ranks need to agree. */
    interface Library {
        int rank() throws Exception;

        int size() throws Exception;

        void barrier() throws Exception;

        /** Broadcasts a number of rank 0. */
        int agree(int number) throws Exception;

        List<String> series();

        /** Operations for the warm-up before anything else, which all series have. */
        List<String> operations();

        /** Prepares an operation on all ranks; null: the series does not have it. */
        Call open(String series, String operation, int bytes) throws Exception;
    }

    /** One operation of one size. */
    interface Call {
        /** Writes the data of this turn, performs it and reads what came. False: it is wrong. */
        boolean run(int turn) throws Exception;

        /** After a batch, outside of the measured time. */
        default void settle() throws Exception {}

        /** Compares whole data. */
        void check() throws Exception;

        /** What the library says about how it does it. */
        default String choice() {
            return "";
        }

        /** Whether calls may be made beforehand, so that a compiler learns it. */
        default boolean warms() {
            return true;
        }

        void close() throws Exception;
    }

    private record Entry(Call call, int bytes) {}

    private final Library library;
    private final int rank;
    private final Map<String, Entry> open = new HashMap<>();
    private final Set<String> warm = new HashSet<>();
    /** Counts the calls, so that each has other data; the same on all ranks. */
    private int turn;

    Player(Library library) throws Exception {
        this.library = library;
        rank = library.rank();
    }

    /** Until the referee has gone. */
    void play(Path folder, String player) throws Exception {
        String orders = folder.resolve(player + "." + rank).toString();
        String replies = folder.resolve(player + ".replies").toString();
        try (BufferedReader in = new BufferedReader(new FileReader(orders));
                OutputStream out = new FileOutputStream(replies)) {
            warmUp();
            reply(out, "ready " + String.join(" ", library.series()));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                reply(out, obey(line.split(" ")));
            }
        }
    }

    /** For as long as rank 0 says: longer where cores are shared, by the compilers too. */
    private void warmUp() throws Exception {
        int cpus = Runtime.getRuntime().availableProcessors();
        long end = System.nanoTime() + WARM_UP_NS * Math.max(1, library.size() / cpus);
        while (library.agree(System.nanoTime() < end ? 1 : 0) == 1) {
            for (String operation : library.operations()) {
                for (String series : library.series()) {
                    for (int bytes = 4; bytes <= 8; bytes += 4) {
                        Call call = library.open(series, operation, bytes);
                        if (call != null) {
                            batch(call, MORE_CALLS);
                            call.close();
                        }
                    }
                }
            }
        }
    }

    /** One write, so that the lines of the ranks do not mix. */
    private void reply(OutputStream out, String text) throws IOException {
        out.write((rank + " " + text + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String obey(String[] words) throws Exception {
        return switch (words[0]) {
            case "open" -> open(words[1], words[2], Integer.parseInt(words[3]));
            case "time" -> time(open.get(words[1]).call(), Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]), Integer.parseInt(words[4]));
            case "close" -> close(words[1]);
            default -> throw new IllegalArgumentException("bad order: " + String.join(" ", words));
        };
    }

    private String open(String series, String operation, int bytes) throws Exception {
        Call call = library.open(series, operation, bytes);
        if (call == null) {
            return "none";
        }
        open.put(series, new Entry(call, bytes));
        call.check();
        int calls = warm.add(series + operation) ? FIRST_CALLS : MORE_CALLS;
        if (bytes <= WARMED && call.warms()) {
            batch(call, calls);
        }
        return "ok " + call.choice();
    }

    private String close(String series) throws Exception {
        Entry one = open.remove(series);
        if (one.bytes() <= CHECKED_AGAIN) {
            one.call().check();
        }
        one.call().close();
        return "ok";
    }

    private String time(Call call, int batch, int batches, int warmUp) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < warmUp; i++) {
            batch(call, batch);
        }
        for (int i = 0; i < batches; i++) {
            text.append(batch(call, batch)).append(' ');
        }
        return text.toString();
    }

    private long batch(Call call, int calls) throws Exception {
        library.barrier();
        long begin = System.nanoTime();
        boolean right = true;
        for (int i = 0; i < calls; i++) {
            right &= call.run(++turn);
        }
        long took = System.nanoTime() - begin;
        call.settle();
        if (!right) {
            throw new IllegalStateException("wrong data in a measured call of " + call);
        }
        return took;
    }
}
