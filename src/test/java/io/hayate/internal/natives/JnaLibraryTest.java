// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the loading of JNA. Each case has separate class loaders, because JNA loads its library
 * once.
 */
class JnaLibraryTest {
    private static final String FILE = "libjnidispatch.so";
    private static final String LOADED = "jnidispatch.path"; // set by JNA
    private static final String PATH = "jna.boot.library.path";
    private static final String TEMPORARY = "jna.tmpdir";
    private static final String NO_UNPACKING = "jna.nounpack";
    private static final String NO_SYSTEM = "jna.nosys";
    private static final List<String> OF_JNA = List.of(PATH, TEMPORARY, NO_UNPACKING, NO_SYSTEM);

    @TempDir
    private Path root;
    private Path place;
    private Path home;
    private Path empty;
    private final Map<String, String> before = new HashMap<>();

    @BeforeEach
    void setProperties() throws IOException {
        root = root.toRealPath();
        place = Files.createDirectory(root.resolve("place"));
        home = Files.createDirectory(root.resolve("home"));
        empty = Files.createDirectory(root.resolve("empty"));
        OF_JNA.forEach(name -> set(name, null));
        set("user.home", home.toString());
    }

    @AfterEach
    void restoreProperties() {
        before.forEach(JnaLibraryTest::setNow);
    }

    private void set(String name, String value) {
        before.putIfAbsent(name, System.getProperty(name));
        setNow(name, value);
    }

    private static void setNow(String name, String value) {
        if (value == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }

    private static ClassLoader newLoader() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static Throwable callIn(ClassLoader loader, Path beside, List<Path> places)
            throws ReflectiveOperationException {
        Method method = loader.loadClass(JnaLibrary.class.getName())
                .getDeclaredMethod("loadBeside", Path.class, Iterable.class);
        method.setAccessible(true);
        try {
            method.invoke(null, beside, places.stream().map(Path::toString).toList());
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    /** Where JNA's library was loaded from; all is as it was before. */
    private Path load(Path beside, Path... places) throws Exception {
        return loadIn(newLoader(), beside, places);
    }

    private Path loadIn(ClassLoader loader, Path beside, Path... places) throws Exception {
        Map<String, String> settings = settings();
        assertEquals(null, callIn(loader, beside, List.of(places)));
        assertEquals(settings, settings());
        for (Path at : places) {
            assertEquals(List.of(), filesIn(at));
        }
        return Path.of(System.getProperty(LOADED));
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        OF_JNA.forEach(name -> settings.put(name, System.getProperty(name)));
        return settings;
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private Path unpacked(String name) throws IOException {
        Path directory = Files.createDirectory(root.resolve(name));
        try (InputStream in = Platform.class.getResourceAsStream(
                "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + FILE)) {
            Files.copy(in, directory.resolve(FILE));
        }
        return directory;
    }

    private static void assertPrivateIn(Path place, Path loaded) {
        assertTrue(loaded.toString().matches("\\Q" + place + "/hayate-\\E\\d+/.*"), loaded + "");
    }

    @Test
    void should_load_from_a_private_directory() throws Exception {
        Path loaded = load(empty, place);
        assertPrivateIn(place, loaded);
        assertEquals(FILE, loaded.getFileName().toString());
        assertEquals(List.of(), filesIn(home));
    }

    @Test
    void should_take_what_lies_beside_the_library() throws Exception {
        Path beside = unpacked("beside");
        assertEquals(beside.resolve(FILE), load(beside, place));
        assertEquals(List.of(), filesIn(home));
    }

    @Test
    void should_take_what_the_user_has_named() throws Exception {
        assertEquals(named(1), load(empty, place));
        assertEquals(named(2), load(unpacked("beside"), place));
        set(NO_UNPACKING, "true");
        assertEquals(named(3), load(empty, place));
        assertEquals(named(4), load(empty));
    }

    /** A file of its own for each class loader, behind a directory that has none. */
    private Path named(int number) throws IOException {
        Path directory = unpacked("named" + number);
        set(PATH, empty + ":" + directory);
        return directory.resolve(FILE);
    }

    @Test
    void should_let_jna_unpack_into_the_private_directory_when_the_system_has_none()
            throws Exception {
        assumeFalse(Stream.of(System.getProperty("java.library.path").split(":"))
                .anyMatch(directory -> Files.exists(Path.of(directory, FILE))), "it has one");
        set(NO_SYSTEM, "false");
        set(TEMPORARY, empty.toString());
        Path loaded = load(empty, place);
        assertPrivateIn(place, loaded);
        assertTrue(loaded.getFileName().toString().matches("jna\\d+\\.tmp"), loaded.toString());
        assertEquals(List.of(), filesIn(empty));
    }

    @Test
    void should_leave_jna_alone_when_the_program_has_loaded_it() throws Exception {
        ClassLoader loader = newLoader();
        Class.forName("com.sun.jna.Native", true, loader);
        String loaded = System.getProperty(LOADED);
        assertTrue(loaded.startsWith(home.toString()), loaded);
        assertEquals(loaded, loadIn(loader, empty, place).toString());
        assertEquals(loaded, loadIn(loader, empty).toString());
    }

    @Test
    void should_say_what_is_missing() throws Exception {
        Path absent = root.resolve("absent");
        String message = callIn(newLoader(), empty, List.of(absent)).toString();
        for (String part : List.of("JNA cannot be used", "\n  " + absent + ": ", "-Djna.tmpdir",
                "-Djna.boot.library.path", FILE)) {
            assertTrue(message.contains(part), message);
        }
        set(NO_UNPACKING, "true");
        Map<String, String> settings = settings();
        assertNotNull(callIn(newLoader(), empty, List.of(place)));
        assertEquals(settings, settings());
        assertEquals(List.of(), filesIn(place));
    }

    /** Each restores what it has found: two in turn must not restore what the other has set. */
    @Test
    void should_restore_properties_when_several_class_loaders_load_at_once() throws Exception {
        set(TEMPORARY, empty.toString());
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ClassLoader loader = newLoader();
            threads.add(new Thread(() -> {
                try {
                    Throwable failure = callIn(loader, empty, List.of(place));
                    assertEquals(null, failure);
                } catch (ReflectiveOperationException | AssertionError e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        Map<String, String> settings = settings();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        assertEquals(settings, settings());
        assertEquals(List.of(), filesIn(place));
    }
}
