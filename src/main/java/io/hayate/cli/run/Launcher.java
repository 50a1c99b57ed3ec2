// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import io.hayate.NativeLoadException;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.job.JobInfo;
import io.hayate.internal.natives.Paths;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds and runs the native launcher of {@code hayate run}. */
public final class Launcher {
    public static final String PROPERTY = "hayate.run";
    public static final String VARIABLE = "HAYATE_RUN";
    private static final String NAME = "hayate-run";
    private static final Pattern ERROR = Pattern.compile("error[=:] ?[0-9]+[ ,(]+([^()]+)");

    private Launcher() {
    }

    /** Carries out "hayate run", and returns its exit code. */
    public static int execute(List<String> arguments) {
        try {
            return run(arguments, Map.of());
        } catch (CommandFailure | NativeLoadException e) {
            System.err.println("hayate run: " + e.getMessage());
            return 1;
        }
    }

    /**
     * Runs the launcher with the streams of this process, and waits for its end.
     *
     * @param arguments the arguments after "hayate run"
     * @param environment variables to add to the environment of this process
     * @return its exit code
     */
    public static int run(List<String> arguments, Map<String, String> environment) {
        return start(arguments, builder -> {
            builder.inheritIO();
            builder.environment().putAll(environment);
        }).await();
    }

    /**
     * Starts the launcher.
     *
     * @param arguments the arguments after "hayate run"
     * @param setting sets the streams and the environment
     * @return a guard, which ends the job when this JVM ends; the caller must call
     *     {@link Guard#await}
     */
    public static Guard start(List<String> arguments, Consumer<ProcessBuilder> setting) {
        Optional<Path> file = find();
        List<String> complete = MpiModules.named(arguments);
        Guard guard = new Guard();
        Runtime.getRuntime().addShutdownHook(guard);
        if (file.isPresent()) {
            startFile(file.get(), complete, setting, guard);
        } else {
            startResource(complete, setting, guard);
        }
        return guard;
    }

    /** Describes where {@link #run} finds the launcher. */
    public static String describe() {
        String inside = UnpackedProgram.isInside(NAME)
                ? "inside the jar (" + UnpackedProgram.resource(NAME) + ")" : "nowhere";
        return find().map(Path::toString).orElse(inside);
    }

    public static boolean isPresent() {
        return find().map(Files::isExecutable).orElse(UnpackedProgram.isInside(NAME));
    }

    /**
     * Returns the explicitly named file, whether it exists or not; otherwise the file next to the
     * classes.
     */
    private static Optional<Path> find() {
        String named = System.getProperty(PROPERTY, System.getenv().getOrDefault(VARIABLE, ""));
        return named.isEmpty() ? beside() : Optional.of(Paths.of(named)
                .orElseThrow(() -> new CommandFailure(Paths.fault(named))));
    }

    private static Optional<Path> beside() {
        CodeSource source = Launcher.class.getProtectionDomain().getCodeSource();
        try {
            return Optional.ofNullable(source)
                    .map(CodeSource::getLocation)
                    .filter(location -> location.getProtocol().equals("file"))
                    .map(location -> Path.of(URI.create(location.toString())).resolveSibling(NAME))
                    .filter(Files::isExecutable);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void startFile(Path file, List<String> arguments,
            Consumer<ProcessBuilder> setting, Guard guard) {
        List<String> command = new ArrayList<>();
        command.add(file.toAbsolutePath().toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        setting.accept(builder);
        try {
            guard.start(builder);
        } catch (IOException e) {
            throw new CommandFailure("cannot execute the launcher " + file + ": " + reason(e)
                    + "; see -D" + PROPERTY + " and " + VARIABLE);
        }
    }

    /**
     * Starts the launcher; when it runs, its file is no longer needed. The files that it uses
     * later stay until this JVM ends.
     */
    private static void startResource(List<String> arguments, Consumer<ProcessBuilder> setting,
            Guard guard) {
        if (!UnpackedProgram.isInside(NAME)) {
            throw new CommandFailure("the launcher was not found next to the classes or in the"
                    + " jar; set " + VARIABLE + " to " + NAME);
        }
        String[] besides = besides(arguments);
        if (besides.length > 0) {
            startFile(unpacked(besides).file(), arguments, setting, guard);
            return;
        }
        try (UnpackedProgram program = unpacked()) {
            startFile(program.file(), arguments, setting, guard);
        }
    }

    /**
     * The files that the launcher uses after it has started. If a word belongs to the command, more
     * is unpacked than needed.
     */
    private static String[] besides(List<String> arguments) {
        List<String> files = new ArrayList<>();
        if (arguments.contains("--blacs")) {
            files.addAll(List.of("libhayate.so", "libhayate-blacs.so"));
        }
        if (arguments.contains("--delegate") || "on".equals(System.getenv("HAYATE_DELEGATE"))
                || JobInfo.isRank()) {
            files.add("hayate-delegatee");
        }
        return files.toArray(String[]::new);
    }

    private static UnpackedProgram unpacked(String... besides) {
        try {
            return UnpackedProgram.of(NAME, besides);
        } catch (CommandFailure e) {
            throw new CommandFailure(e.getMessage() + ", or " + VARIABLE + " to a " + NAME);
        }
    }

    /** Ends the job in order when the JVM is terminated. */
    public static final class Guard extends Thread {
        private Process process;

        /** The launcher process. */
        public synchronized Process process() {
            return process;
        }

        /** Shares a lock with {@link #run}, so that it knows every process that was started. */
        private synchronized void start(ProcessBuilder builder) throws IOException {
            process = builder.start();
        }

        /** Waits for the end of the launcher, and returns its exit code. */
        public int await() {
            Runtime runtime = Runtime.getRuntime();
            int code = waitFor(process);
            try {
                runtime.removeShutdownHook(this);
            } catch (IllegalStateException e) {
                return code; // the JVM is already shutting down
            }
            return code;
        }

        @Override
        public synchronized void run() {
            if (process != null) {
                process.destroy();
                waitFor(process);
            }
        }
    }

    static int waitFor(Process process) {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                process.destroy();
            }
        }
    }

    /**
     * Extracts "Permission denied" from "error=13, Permission denied"; newer JDKs write "error: 13
     * (...)".
     */
    private static String reason(Exception e) {
        Matcher matcher = ERROR.matcher(String.valueOf(e.getMessage()));
        return matcher.find() ? matcher.group(1) : e.toString();
    }
}
