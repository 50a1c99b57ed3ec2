// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What -Xcheck:jni found in a virtual machine, from the log that it keeps of its own output (see
 * {@link #log}): there nothing is mixed, neither with other processes' output nor among threads.
 *
 * <p>Warnings of JNA are left out, and no others. While its own library is loaded, its JNI_OnLoad
 * holds 33 local references of 32 and does not look for an exception behind CallStaticObjectMethod;
 * a program that does nothing but load JNA gets both. A warning is JNA's when the native method on
 * top of the stack is one of com.sun.jna.Native, or when that is the loading of a library and
 * com.sun.jna.Native asked for it to load its own. A frame of JNA further down proves nothing.
 */
public final class JniWarnings {
    private static final Pattern WARNING = Pattern.compile("(FATAL ERROR|WARNING) in native method"
            + ".*|WARNING: JNI local refs.*");
    private static final Pattern WRITER = Pattern.compile("<writer thread='.*");
    private static final Pattern STACK = Pattern.compile("\\s+(at|-) .*");
    private static final Pattern LOADING =
            Pattern.compile("\\s+at jdk\\.internal\\.loader\\.NativeLibraries\\.load\\(.*");
    private static final Pattern LOADER =
            Pattern.compile("\\s+(- |at jdk\\.internal\\.loader\\.|at java\\.lang\\.).*");
    private static final Pattern OF_JNA = Pattern.compile("\\s+at com\\.sun\\.jna\\.Native\\."
            + "(loadNativeDispatchLibrary.*|\\w+\\((\\S+/)?Native Method\\))");

    private final Map<String, List<String>> open = new LinkedHashMap<>(); // by thread
    private final List<String> found = new ArrayList<>();

    private JniWarnings() {
    }

    /** Options of a virtual machine that keeps such a log; of its name "%p" is the process's id. */
    public static List<String> log(String file) {
        return List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogVMOutput", "-XX:LogFile=" + file);
    }

    /**
     * Those in a log, each with its stack.
     *
     * @param log its lines; a virtual machine that was killed may have left the last stack cut off:
     *     that counts if what is there shows that the warning is not JNA's
     */
    public static List<String> in(List<String> log) {
        JniWarnings warnings = new JniWarnings();
        String writer = "";
        for (String line : log) {
            if (WRITER.matcher(line).matches()) {
                writer = line;
            } else {
                warnings.take(writer, line);
            }
        }
        warnings.open.values().stream().filter(stack -> !answering(stack).isEmpty())
                .forEach(warnings::judge);
        return warnings.found;
    }

    /** Of whatever bytes: who is killed may stop within a character. */
    static List<String> in(Path log) throws IOException {
        return in(Files.readAllLines(log, StandardCharsets.ISO_8859_1));
    }

    private void take(String writer, String line) {
        List<String> stack = open.get(writer);
        if (stack != null && STACK.matcher(line).matches()) {
            stack.add(line);
            return;
        }
        if (stack != null) {
            judge(stack);
            open.remove(writer);
        }
        if (WARNING.matcher(line).matches()) {
            open.put(writer, new ArrayList<>(List.of(line)));
        }
    }

    private void judge(List<String> stack) {
        boolean fatal = stack.get(0).startsWith("FATAL");
        if (fatal || !OF_JNA.matcher(answering(stack)).matches()) {
            found.add(String.join("\n", stack));
        }
    }

    /** The native method; of one that loads a library, who asked for it. "": not to be seen. */
    private static String answering(List<String> stack) {
        if (stack.size() > 1 && !LOADING.matcher(stack.get(1)).matches()) {
            return stack.get(1);
        }
        return stack.stream().skip(1).filter(frame -> !LOADER.matcher(frame).matches()).findFirst()
                .orElse("");
    }

    /** For all logs, "*.log", in directories; without any log nothing is known: a failure. */
    public static void main(String[] directories) throws IOException {
        int logs = 0;
        for (String directory : directories) {
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                for (Path log : files.filter(f -> f.toString().endsWith(".log")).toList()) {
                    tell(log, in(log));
                    logs++;
                }
            }
        }
        if (logs == 0) {
            System.out.println("FAILED -Xcheck:jni: no virtual machine has kept a log");
        }
    }

    private static void tell(Path log, List<String> warnings) {
        if (!warnings.isEmpty()) {
            System.out.println("FAILED -Xcheck:jni: " + warnings.size() + " warnings in " + log
                    + ", the first is\n" + warnings.get(0));
        }
    }
}
