// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.job.JobProcess;
import io.hayate.internal.natives.Paths;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the files of flight recorders. A process has its file, and {@code hayate run} its
 * directory, open as long as it lives; after that, their names contain the number of the process.
 * In a place like /tmp, anybody may have chosen a name: only what belongs to this user or to root,
 * and is no symbolic link, counts.
 */
public final class FlightFiles {
    private static final String SUFFIX = ".flight";
    private static final String DIRECTORY = "hayate-flight-";
    private static final String RANK = "hayate-rank-*-";

    private FlightFiles() {
    }

    /** Returns the files, at least one. */
    public static List<Path> of(String place) {
        return place.matches("[0-9]{1,18}") ? ofProcess(Long.parseLong(place)) : ofPath(place);
    }

    private static List<Path> ofPath(String place) {
        Path path = Paths.of(place)
                .orElseThrow(() -> new CommandFailure(Paths.fault(place)));
        if (!Files.exists(path)) {
            throw new CommandFailure(place + ": no such file, directory or number of a process");
        }
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        Set<Path> files = new LinkedHashSet<>(list(path, "*" + SUFFIX));
        if (files.isEmpty()) {
            throw new CommandFailure(place + ": no files of flight recorders (*" + SUFFIX
                    + ") in this directory");
        }
        return List.copyOf(files);
    }

    private static List<Path> ofProcess(long pid) {
        long owner = JobProcess.of(pid, one -> !opened(one).isEmpty());
        Set<Path> files = new LinkedHashSet<>(opened(owner));
        List<Path> places = places();
        for (int i = 0; i < places.size() && files.isEmpty(); i++) {
            files.addAll(left(places.get(i), pid));
        }
        if (files.isEmpty()) {
            throw new CommandFailure("no flight recorder of process " + pid + ": it has none open,"
                    + " and there is no file of it in " + places + ". Was the job started with"
                    + " HAYATE_FLIGHT=on? A job that succeeds leaves none. If HAYATE_FLIGHT named"
                    + " another directory, give that one");
        }
        return List.copyOf(files);
    }

    /** What a process that lives has open. */
    private static List<Path> opened(long pid) {
        List<Path> files = new ArrayList<>();
        for (Path link : list(Path.of("/proc", Long.toString(pid), "fd"), "*")) {
            try {
                Path target = Files.readSymbolicLink(link);
                Path name = target.getFileName();
                if (name != null && name.toString().endsWith(SUFFIX)) {
                    files.add(target);
                } else if (name != null && name.toString().startsWith(DIRECTORY)) {
                    files.addAll(list(target, "*" + SUFFIX));
                }
            } catch (IOException e) {
                continue; // it was closed
            }
        }
        return files;
    }

    /** What a dead process has left behind. */
    private static List<Path> left(Path place, long pid) {
        String ofRank = RANK + pid + "-*" + SUFFIX;
        List<Path> files = new ArrayList<>(list(place, ofRank));
        List<Path> directories = list(place, DIRECTORY + "*");
        directories.removeIf(directory -> !isTrusted(directory));
        for (Path directory : directories) {
            boolean whole = directory.getFileName().toString().startsWith(DIRECTORY + pid + "-");
            files.addAll(list(directory, whole ? "*" + SUFFIX : ofRank));
        }
        files.removeIf(file -> !isTrusted(file));
        return files;
    }

    private static boolean isTrusted(Path path) {
        try {
            Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return !Files.isSymbolicLink(path) && (owner.equals(self) || owner.equals(0));
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    private static List<Path> places() {
        List<Path> places = new ArrayList<>();
        for (String variable : List.of("HAYATE_FLIGHT", "TMPDIR")) {
            String value = System.getenv(variable);
            if (value != null && value.startsWith("/")) {
                Paths.of(value).ifPresent(places::add);
            }
        }
        places.add(Path.of("/tmp"));
        return places;
    }

    /** The names in a directory; none if this user cannot read it. */
    private static List<Path> list(Path directory, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        return found;
    }
}
