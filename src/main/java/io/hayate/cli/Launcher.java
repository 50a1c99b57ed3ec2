// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

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

/** The native launcher behind {@code hayate run}: where it is, and running it. */
final class Launcher {
    static final String PROPERTY = "hayate.run";
    static final String VARIABLE = "HAYATE_RUN";
    private static final String NAME = "hayate-run";
    private static final Pattern ERROR = Pattern.compile("error[=:] ?[0-9]+[ ,(]+([^()]+)");

    private Launcher() {
    }

    /**
     * Runs the launcher with this process's streams and waits for its end.
     *
     * @param arguments behind "hayate run"
     * @param environment added to this process's
     * @return its exit code
     */
    static int run(List<String> arguments, Map<String, String> environment) {
        return start(arguments, builder -> {
            builder.inheritIO();
            builder.environment().putAll(environment);
        }).await();
    }

    /**
     * Starts the launcher.
     *
     * @param arguments behind "hayate run"
     * @param setting sets the streams and the environment
     * @return it ends the job when this virtual machine ends; {@link Guard#await} is to be called
     */
    static Guard start(List<String> arguments, Consumer<ProcessBuilder> setting) {
        Optional<Path> file = find();
        Guard guard = new Guard();
        Runtime.getRuntime().addShutdownHook(guard);
        if (file.isPresent()) {
            startFile(file.get(), arguments, setting, guard);
        } else {
            startResource(arguments, setting, guard);
        }
        return guard;
    }

    /** Where {@link #run} takes it from, for people. */
    static String describe() {
        String inside = UnpackedProgram.isInside(NAME)
                ? "inside the jar (" + UnpackedProgram.resource(NAME) + ")" : "nowhere";
        return find().map(Path::toString).orElse(inside);
    }

    static boolean isPresent() {
        return find().map(Files::isExecutable).orElse(UnpackedProgram.isInside(NAME));
    }

    /** What was named explicitly, whether it is there or not; then what lies beside the classes. */
    private static Optional<Path> find() {
        String named = System.getProperty(PROPERTY, System.getenv().getOrDefault(VARIABLE, ""));
        return named.isEmpty() ? beside() : Optional.of(Path.of(named));
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

    /** Once it runs its file is not needed. */
    private static void startResource(List<String> arguments, Consumer<ProcessBuilder> setting,
            Guard guard) {
        if (!UnpackedProgram.isInside(NAME)) {
            throw new CommandFailure("there is no launcher: none beside the classes and none in"
                    + " the jar; set " + VARIABLE + " to " + NAME);
        }
        try (UnpackedProgram program = unpacked()) {
            startFile(program.file(), arguments, setting, guard);
        }
    }

    private static UnpackedProgram unpacked() {
        try {
            return UnpackedProgram.of(NAME);
        } catch (CommandFailure e) {
            throw new CommandFailure(e.getMessage() + ", or " + VARIABLE + " to a " + NAME);
        }
    }

    /** When this virtual machine is told to end, the job is, too, and in order. */
    static final class Guard extends Thread {
        private Process process;

        /** What was started. */
        synchronized Process process() {
            return process;
        }

        /** Under one lock with {@link #run}: what is started is known to it. */
        private synchronized void start(ProcessBuilder builder) throws IOException {
            process = builder.start();
        }

        /** Until its end, and tells its exit code. */
        int await() {
            Runtime runtime = Runtime.getRuntime();
            int code = waitFor(process);
            try {
                runtime.removeShutdownHook(this);
            } catch (IllegalStateException e) {
                return code; // already going down
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

    /** "Permission denied" of "error=13, Permission denied"; a JDK of now has "error: 13 (...)". */
    private static String reason(Exception e) {
        Matcher matcher = ERROR.matcher(String.valueOf(e.getMessage()));
        return matcher.find() ? matcher.group(1) : e.toString();
    }
}
