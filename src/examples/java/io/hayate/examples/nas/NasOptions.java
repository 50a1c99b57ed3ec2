// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.ArgumentException;
import io.hayate.CollOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The options of a benchmark on the command line. */
record NasOptions(ProblemClass problem, int repetitions, boolean persistent, CollOptions collective,
        MemoryKind memory, int threads, boolean damage, boolean json, boolean help) {
    static final String USAGE = """
            Options of the NAS Parallel Benchmarks:
              --class S|W|A|B            how large (default S)
              --repetitions R            how often, in the same JVM; the median counts (default 1)
              --persistent               prepares the collectives of its loops
              --collective WORDS         how those are done: the words of CollOptions
              --memory heap|direct|array what messages go from and come into: the symmetric heap,
                                         direct buffers outside of it (by HAYATE_RENDEZVOUS), or
                                         Java arrays (default heap)
              --threads N                N ranks, which are threads of this JVM; not in a program
                                         that a launcher has started
              --damage                   plants an error in the last rank's data, which the
                                         verification has to find
              --json                     prints one JSON object instead of text
            The number of ranks is a power of two, for SP and BT a square number.
            Exit code: 0 verified, 1 not, 2 wrong usage.""";

    private static final int MOST_REPETITIONS = 10_000;
    private static final int MOST_THREADS = 4096;
    private static final List<String> FLAGS =
            List.of("--persistent", "--damage", "--json", "--help");
    private static final List<String> VALUED =
            List.of("--class", "--repetitions", "--collective", "--memory", "--threads");

    static NasOptions parse(String... args) throws UsageException {
        Map<String, String> given = read(args);
        return new NasOptions(
                oneOf(ProblemClass.class, "--class", given.getOrDefault("--class", "S")),
                number("--repetitions", given.getOrDefault("--repetitions", "1"), MOST_REPETITIONS),
                given.containsKey("--persistent"),
                collective(given.getOrDefault("--collective", "")),
                oneOf(MemoryKind.class, "--memory", given.getOrDefault("--memory", "heap")),
                given.containsKey("--threads")
                        ? number("--threads", given.get("--threads"), MOST_THREADS) : 0,
                given.containsKey("--damage"), given.containsKey("--json"),
                given.containsKey("--help"));
    }

    /** Of `--threads`; 0 also if the options are wrong, of which the ranks complain. */
    static int threads(String... args) {
        try {
            return parse(args).threads();
        } catch (UsageException e) {
            return 0;
        }
    }

    /** By name; flags have themselves as value. */
    private static Map<String, String> read(String... args) throws UsageException {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            String name = args[i];
            if (FLAGS.contains(name)) {
                given.put(name, name);
            } else if (!VALUED.contains(name)) {
                throw new UsageException("unknown option " + name);
            } else if (++i == args.length) {
                throw new UsageException(name + " wants a value");
            } else {
                given.put(name, args[i]);
            }
        }
        return given;
    }

    private static <E extends Enum<E>> E oneOf(Class<E> type, String name, String value)
            throws UsageException {
        for (E each : type.getEnumConstants()) {
            if (each.name().equalsIgnoreCase(value)) {
                return each;
            }
        }
        throw new UsageException(name + " " + value + ": expected one of "
                + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
    }

    private static int number(String name, String value, int most) throws UsageException {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw new UsageException(name + " " + value + ": expected an integer from 1 to " + most);
    }

    private static CollOptions collective(String words) throws UsageException {
        try {
            return CollOptions.parse(words);
        } catch (ArgumentException e) {
            throw new UsageException("--collective: " + e.reason());
        }
    }
}
