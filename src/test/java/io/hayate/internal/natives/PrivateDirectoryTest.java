// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateDirectoryTest {
    private static final int NOBODY = 65534;

    @TempDir
    private Path root;
    private Path place;

    @BeforeEach
    void makePlace() throws IOException {
        place = Files.createDirectories(root.resolve("above/place"));
    }

    private static void mode(Path file, int mode) throws IOException {
        Files.setAttribute(file, "unix:mode", mode);
    }

    private static int mode(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode") & 07777;
    }

    private static Optional<String> fault(Path place) {
        return PrivateDirectory.fault(place.toString());
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.toList();
        }
    }

    @Test
    void should_keep_files_for_this_user_until_it_is_closed() throws IOException {
        PrivateDirectory directory = PrivateDirectory.first(List.of(place.toString()), d -> d);
        Path file = directory.add("file", new ByteArrayInputStream(new byte[] {1, 2, 3}));
        assertEquals(3, Files.size(file));
        assertEquals(0700, mode(file));
        assertEquals(0700, mode(file.getParent()));
        assertEquals(place.toRealPath(), file.getParent().getParent());
        Files.createFile(file.resolveSibling("of somebody else"));
        directory.close();
        directory.close();
        assertEquals(List.of(), left());
        assertThrows(IOException.class, () -> directory.add("x", InputStream.nullInputStream()));
        assertEquals(List.of(), left());
    }

    @ParameterizedTest
    @ValueSource(ints = {0777, 0770, 0702, 02775})
    void should_refuse_a_place_in_which_others_can_rename(int mode) throws IOException {
        for (Path at : List.of(place, place.getParent())) {
            mode(at, mode);
            String fault = fault(place).orElse("");
            assertTrue(fault.contains(at + " is a directory of user "), fault);
            assertTrue(fault.contains(String.format("mode %04o without sticky bit", mode)), fault);
            assertEquals(List.of(), left());
            mode(at, mode | 01000);
            assertEquals(Optional.empty(), fault(place));
            mode(at, 0755);
        }
    }

    @Test
    void should_refuse_a_place_of_another_user() throws IOException {
        for (Path at : List.of(place, place.getParent())) {
            Object own = Files.getAttribute(at, "unix:uid");
            try {
                Files.setAttribute(at, "unix:uid", NOBODY);
            } catch (IOException e) {
                assumeTrue(false, "needs the right to give directories away");
            }
            mode(at, 01755);
            String fault = fault(place).orElse("");
            assertTrue(fault.contains(at + " is a directory of user " + NOBODY), fault);
            Files.setAttribute(at, "unix:uid", own);
            assertEquals(Optional.empty(), fault(place));
        }
    }

    @Test
    void should_judge_what_a_link_leads_to() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), place);
        assertEquals(Optional.empty(), fault(link));
        mode(place, 0777);
        assertTrue(fault(link).orElse("").contains(place.toString()));
    }

    @Test
    void should_take_the_first_place_that_works() throws IOException {
        Path absent = root.resolve("absent");
        List<Path> tried = new ArrayList<>();
        List<String> places = List.of("no\0path", absent.toString(), root.toString(),
                place.toString());
        Path used = PrivateDirectory.first(places, directory -> {
            Path path = directory.path();
            tried.add(path.getParent());
            if (path.getParent().equals(root.toRealPath())) {
                throw new UnsatisfiedLinkError("not here");
            }
            directory.close();
            return path;
        });
        assertEquals(List.of(root.toRealPath(), place.toRealPath()), tried);
        assertEquals(place.toRealPath(), used.getParent());
        assertFalse(Files.exists(used));
    }

    @Test
    void should_tell_of_each_place_why_it_does_not_work() throws IOException {
        Error last = new UnsatisfiedLinkError("failed to map segment");
        IOException e = assertThrows(IOException.class, () ->
                PrivateDirectory.first(List.of("no\0path", root.resolve("absent").toString(),
                        place.toString()), directory -> {
                    throw last;
                }));
        assertTrue(e.getMessage().contains("\n  " + root.resolve("absent") + ": "), e.toString());
        assertTrue(e.getMessage().contains("\n  " + place + ": "), e.toString());
        assertTrue(e.getMessage().contains("(mounted noexec?)"), e.toString());
        assertTrue(e.getMessage().contains("-Djava.io.tmpdir"), e.toString());
        assertTrue(e.getMessage().contains("\n  no\0path: \"no\0path\" cannot be"), e.toString());
        assertSame(last, e.getCause());
        assertEquals(List.of(), left());
    }

    /** As in a home with an umlaut where LC_ALL=C says that names are ASCII. */
    @Test
    void should_keep_places_that_are_no_paths_for_the_list() {
        String home = System.getProperty("user.home");
        System.setProperty("user.home", "/home/no\0path");
        try {
            assertTrue(UnpackPlaces.all().contains("/home/no\0path/.cache"));
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @Test
    void should_leave_nothing_when_its_use_fails() throws IOException {
        assertThrows(IllegalStateException.class, () ->
                PrivateDirectory.first(List.of(place.toString(), root.toString()), directory -> {
                    directory.add("file", InputStream.nullInputStream());
                    throw new IllegalStateException();
                }));
        assertEquals(List.of(), left());
    }
}
