// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the loading of the library. Each case runs in a separate JVM, because a library is loaded
 * once.
 */
@Timeout(300)
class LoadingTest {
    @TempDir private Path directory;

    /** Loads, sends itself a message, and says what is mapped. */
    static final class Program {
        public static void main(String[] args) throws IOException {
            try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job, 1)) {
                int[] got = new int[1];
                fmpl.send(Span.of(new int[] {42}), 0, 0);
                fmpl.recv(Span.of(got), 0, 0);
                System.out.println("got " + got[0] + " from " + copies() + " copy");
            } catch (HayateException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.reason());
            }
        }

        private static long copies() throws IOException {
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                return maps.filter(line -> line.contains("r-xp") && line.contains("libhayate.so"))
                        .count();
            }
        }
    }

    /** In two class loaders of one JVM, or as many as a property says; then by a named file. */
    static final class Loaders {
        public static void main(String[] args) throws Exception {
            for (int i = 0; i < Integer.getInteger("loaders", 2); i++) {
                runProgram();
            }
            if (System.getProperty("named") != null) {
                System.setProperty("hayate.library.path", System.getProperty("named"));
                runProgram();
            }
        }

        static ClassLoader runProgram() throws Exception {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(":")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            URLClassLoader loader = new URLClassLoader(
                    urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
            Class<?> program = loader.loadClass(Program.class.getName());
            Method method = program.getMethod("main", String[].class);
            method.setAccessible(true); // the class is nested in a test, not public
            method.invoke(null, (Object) new String[0]);
            return loader;
        }
    }

    /** Drops class loaders, after JNA was made to let go of each, and says whether they go. */
    static final class Dropped {
        private static final int LOADERS = 5;

        public static void main(String[] args) throws Exception {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int i = 0; i < LOADERS; i++) {
                var used = new FutureTask<>(Dropped::runProgram);
                Thread thread = new Thread(used); // JNA leaves objects in thread-local variables
                thread.start();
                loaders.add(used.get());
                thread.join();
            }
            for (int i = 0; i < 600 && left(loaders) > 1; i++) {
                System.gc();
                Thread.sleep(50);
            }
            System.out.println(left(loaders) > 1 ? left(loaders) + " are left" : "gone");
        }

        private static long left(List<WeakReference<ClassLoader>> loaders) {
            return loaders.stream().filter(loader -> loader.get() != null).count();
        }

        private static WeakReference<ClassLoader> runProgram() throws Exception {
            ClassLoader loader = Loaders.runProgram();
            Class<?> jna = loader.loadClass("com.sun.jna.Native");
            Field registered = jna.getDeclaredField("registeredClasses");
            registered.setAccessible(true);
            for (Object type : Set.copyOf(((Map<?, ?>) registered.get(null)).keySet())) {
                jna.getMethod("unregister", Class.class).invoke(null, type);
            }
            Method close = loader.loadClass("com.sun.jna.NativeLibrary")
                    .getDeclaredMethod("disposeAll");
            close.setAccessible(true);
            close.invoke(null);
            Thread.getAllStackTraces().keySet().stream() // would end 30 s later
                    .filter(thread -> thread.getClass().getClassLoader() == loader)
                    .forEach(Thread::interrupt);
            return new WeakReference<>(loader);
        }
    }

    private String run(Class<?> main, String... options) throws Exception {
        return runAfter("true", main, options);
    }

    /** What a shell does first; a limit of it is the JVM's, too. */
    private String runAfter(String first, Class<?> main, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", "-c", first + " && exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.to(directory.resolve("stderr").toFile()));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> output + stderr());
        return output.strip();
    }

    private String stderr() {
        try {
            return Files.readString(directory.resolve("stderr"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Path unpack() throws IOException {
        Path file = directory.resolve("libhayate.so");
        String name = "/META-INF/native/linux-" + System.getProperty("os.arch")
                .replace("amd64", "x86_64") + "/libhayate.so";
        try (InputStream in = LoadingTest.class.getResourceAsStream(name)) {
            Files.copy(in, file);
        }
        return file;
    }

    private List<String> leftBehind(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("hsperfdata")).collect(Collectors.toList());
        }
    }

    @Test
    void should_load_one_copy_and_leave_nothing_behind() throws Exception {
        Path place = Files.createDirectory(directory.resolve("tmp"));
        assertEquals("got 42 from 1 copy", run(Program.class, "-Djava.io.tmpdir=" + place));
        assertEquals(List.of(), leftBehind(place));
    }

    @Test
    void should_take_another_place_when_tmpdir_cannot_be_written() throws Exception {
        assertEquals("got 42 from 1 copy",
                run(Program.class, "-Djava.io.tmpdir=/proc/self/nowhere"));
    }

    /** What a shell does first, to set a property to a path which is not ASCII, with LC_ALL=C. */
    private static String inAscii(String property) {
        return "export LC_ALL=C JDK_JAVA_OPTIONS=-D" + property + "=$(printf '/j\\303\\274rgen')";
    }

    /** The JDK itself then creates no temporary directory in any place. */
    @Test
    void should_take_another_place_when_the_locale_cannot_encode_tmpdir() throws Exception {
        assertEquals("got 42 from 1 copy", runAfter(inAscii("java.io.tmpdir"), Program.class));
    }

    @Test
    void should_say_what_to_do_when_the_locale_cannot_encode_the_named_file() throws Exception {
        String reason = runAfter(inAscii("hayate.library.path"), Program.class);
        assertTrue(reason.startsWith("NativeLoadException: -Dhayate.library.path: "), reason);
        assertTrue(reason.endsWith("set LC_ALL=C.UTF-8"), reason);
    }

    /** As on a full disk: no place has room for a file of that length. */
    @Test
    void should_say_so_when_no_place_has_room() throws Exception {
        Path place = Files.createDirectory(directory.resolve("tmp"));
        String reason = runAfter("ulimit -f 400", Program.class, "-Djava.io.tmpdir=" + place);
        assertTrue(reason.startsWith("NativeLoadException"), reason);
        for (String part : List.of("\n  " + place + ": ", "\n  /var/tmp: ",
                "-Djava.io.tmpdir", "-Dhayate.library.path")) {
            assertTrue(reason.contains(part), reason);
        }
        assertEquals(List.of(), leftBehind(place));
    }

    @Test
    void should_load_the_file_or_the_directory_that_is_named() throws Exception {
        Path file = unpack();
        assertEquals("got 42 from 1 copy", run(Program.class, "-Dhayate.library.path=" + file));
        assertEquals("got 42 from 1 copy",
                run(Program.class, "-Dhayate.library.path=" + directory));
        assertTrue(Files.exists(file));
    }

    @Test
    void should_say_why_the_named_file_cannot_be_loaded() throws Exception {
        String missing = run(Program.class, "-Dhayate.library.path=/nowhere");
        assertTrue(missing.startsWith("NativeLoadException"), missing);
        assertTrue(missing.contains("/nowhere"), missing);
        Path text = Files.writeString(directory.resolve("text.so"), "no library");
        String damaged = run(Program.class, "-Dhayate.library.path=" + text);
        assertTrue(damaged.startsWith("NativeLoadException"), damaged);
        assertTrue(damaged.contains("text.so"), damaged);
    }

    @Test
    void should_refuse_another_platform_and_name_those_that_are_supported() throws Exception {
        assertEquals("NativeLoadException: Hayate supports Linux with glibc on x86-64 and on"
                + " aarch64 (64-bit), and this is Linux on vax",
                run(Program.class, "-Dos.arch=vax"));
    }

    /** The first class of an event takes the JVM 50 to 100 ms. */
    @Test
    void should_not_load_what_makes_the_start_slow() throws Exception {
        Path log = directory.resolve("classes");
        assertEquals("got 42 from 1 copy",
                run(Program.class, "-Xshare:off", "-Xlog:class+load:file=" + log));
        List<String> loaded = Files.readAllLines(log);
        assertTrue(loaded.stream().anyMatch(line -> line.contains(" io.hayate.Hayate ")));
        assertEquals(List.of(), loaded.stream().filter(line -> line.contains(" jdk.jfr.Event ")
                || line.contains(" io.hayate.internal.jfr.OperationEvent ")).toList());
    }

    @Test
    void should_serve_two_class_loaders_with_a_copy_each() throws Exception {
        String output = run(Loaders.class);
        assertTrue(output.contains("got 42 from 1 copy"), output);
        assertTrue(output.contains("got 42 from 2 copy"), output);
    }

    /** The linker has room for the thread-local data of some copies only: 1.7 KB in glibc 2.36. */
    @Test
    void should_serve_ten_class_loaders_and_name_what_is_short_for_more() throws Exception {
        List<String> lines = run(Loaders.class, "-Dloaders=40", "-Dnamed=" + unpack()).lines()
                .toList();
        assertEquals(41, lines.size());
        for (int i = 0; i < 10; i++) {
            assertEquals("got 42 from " + (i + 1) + " copy", lines.get(i));
        }
        for (String line : lines.subList(10, lines.size())) {
            assertTrue(line.startsWith("got 42 from ") || line.contains("static TLS")
                    && line.contains("GLIBC_TUNABLES="), line);
        }
    }

    @Test
    void should_be_kept_in_a_dropped_class_loader_by_jna_alone() throws Exception {
        List<String> lines = run(Dropped.class).lines().toList();
        assertEquals("gone", lines.get(lines.size() - 1));
        assertEquals(Dropped.LOADERS, lines.stream().filter(l -> l.startsWith("got 42")).count());
    }
}
