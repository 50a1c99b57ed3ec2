// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How this process was started, as the keys of {@code MPI.INFO_ENV}. */
final class Environment {
    private static final List<String> LEVELS = List.of("MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
            "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE");

    private Environment() {
    }

    /** Returns what is known before MPI.Init. */
    static Info ofProcess() {
        Info info = new Info();
        String[] command = System.getProperty("sun.java.command", "").split(" ", 2);
        set(info, "command", command[0]);
        set(info, "argv", command.length > 1 ? command[1] : "");
        set(info, "host", hostName());
        set(info, "arch", machine());
        set(info, "wdir", System.getProperty("user.dir"));
        return info;
    }

    /** Adds what is known of the job; names that begin with ompi are those of Open MPI. */
    static void addJob(Info info, int ranks, int threadLevel) {
        String size = Integer.toString(ranks);
        info.set("maxprocs", size);
        info.set("soft", size);
        info.set("thread_level", LEVELS.get(threadLevel - Constants.THREAD_SINGLE));
        info.set("ompi_np", size);
        info.set("ompi_num_apps", "1");
        info.set("ompi_first_rank", "0");
    }

    /** A value that is empty or too long is left out, as MPI allows for each of them. */
    private static void set(Info info, String key, String value) {
        if (!value.isEmpty() && value.length() < Constants.MAX_INFO_VAL) {
            info.set(key, value);
        }
    }

    /** The name of the architecture that uname prints. */
    private static String machine() {
        String name = System.getProperty("os.arch");
        return name.equals("amd64") ? "x86_64" : name;
    }

    static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException e) {
            return "localhost";
        }
    }
}
