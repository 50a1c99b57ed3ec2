// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command with which this JVM was started. */
public final class OwnCommand {
    private static final String MAIN = "io.hayate.cli.Main";
    private OwnCommand() {
    }

    /** The words that start it once more: the same binary, options, class path and arguments. */
    public static List<String> withArguments(List<String> arguments) {
        List<String> own = read();
        int head = own.size() - arguments.size();
        if (head < 2 || !own.subList(head, own.size()).equals(arguments)) {
            return assembled(arguments);
        }
        own.set(0, executable());
        return own;
    }

    /**
     * The options that start {@code ranks} ranks of one thread for a measurement: each on one CPU,
     * next to those of its neighbours, if there are enough CPUs.
     */
    public static List<String> measuringRanks(int ranks) {
        boolean enough = ranks <= Runtime.getRuntime().availableProcessors();
        return List.of("-n", String.valueOf(ranks), "--bind", enough ? "core" : "none");
    }

    private static List<String> read() {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/self/cmdline"));
            String text = new String(bytes, nativeCharset());
            String words = text.substring(0, Math.max(0, text.length() - 1)); // ends in a zero
            return new ArrayList<>(List.of(words.split("\0", -1)));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The encoding of the words of a command line, which this property contains since JDK 17. */
    private static Charset nativeCharset() {
        String name = System.getProperty("sun.jnu.encoding", "UTF-8");
        return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    private static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Rejects a command line that does not end in the arguments, as in a program that embeds the
     * JVM.
     */
    private static List<String> assembled(List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(executable());
        words.add("-cp");
        words.add(System.getProperty("java.class.path"));
        words.add(MAIN);
        words.addAll(arguments);
        return words;
    }
}
