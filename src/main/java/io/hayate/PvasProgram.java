// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.pvas.PvasStart;
import io.hayate.internal.pvas.PvasTexts;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program of a task: an unmodified position-independent executable, its arguments, environment
 * and streams. By default the standard streams are those of this process.
 *
 * <pre>{@code
 * PvasProgram solver = PvasProgram.of("/usr/bin/solver", "--steps", "100")
 *         .environment("OMP_NUM_THREADS", "1")
 *         .directory(Path.of("/data"))
 *         .stdout(ProcessBuilder.Redirect.PIPE);
 * }</pre>
 *
 * <p>A description can be spawned any number of times; later changes apply to later spawns. It is
 * not safe for concurrent use. Every method that sets something returns this object. File names,
 * arguments and the environment are passed in the encoding of file names
 * ({@code sun.jnu.encoding}), or in UTF-8 if that encoding lacks a character.
 */
public final class PvasProgram {
    private final String path;
    private final List<String> arguments;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private boolean freshEnvironment;
    private Path directory;
    private final Redirect[] streams = {Redirect.INHERIT, Redirect.INHERIT, Redirect.INHERIT};
    private boolean merged;
    private long stackBytes;
    private boolean ownGroup;

    private PvasProgram(String path, List<String> arguments) {
        this.path = Errors.required(path, "path");
        this.arguments = new ArrayList<>(Errors.required(arguments, "arguments"));
        this.arguments.forEach(argument -> Errors.required(argument, "an argument"));
    }

    /**
     * Creates the description of a program with arguments.
     *
     * @param path the file of the program, relative to the directory of this process; {@code PATH}
     *     is not searched. For a script, the interpreter in its first line runs
     * @param arguments the arguments after the name, which is {@code path}
     * @return a description with defaults for everything else
     * @throws ArgumentException if an argument is null
     */
    public static PvasProgram of(String path, String... arguments) {
        return new PvasProgram(path, Arrays.asList(Errors.required(arguments, "arguments")));
    }

    /**
     * Creates the description of a program with arguments.
     *
     * @param path the file of the program; see {@link #of(String, String...)}
     * @param arguments the arguments after the name
     * @return a description with defaults for everything else
     * @throws ArgumentException if an argument is null
     */
    public static PvasProgram of(String path, List<String> arguments) {
        return new PvasProgram(path, arguments);
    }

    /**
     * Sets a variable of the task's environment, which is otherwise that of this process.
     *
     * @param name the name, not empty and without {@code =}
     * @param value the value; null: the task does not have the variable
     * @return this
     * @throws ArgumentException if the name is not valid
     */
    public PvasProgram environment(String name, String value) {
        Errors.required(name, "name");
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw Errors.argument("\"" + name + "\" is not a valid name of a variable");
        }
        environment.put(name, value);
        return this;
    }

    /**
     * Clears the environment of the task, except for what {@link #environment} sets from now on.
     *
     * @return this
     */
    public PvasProgram emptyEnvironment() {
        environment.clear();
        freshEnvironment = true;
        return this;
    }

    /**
     * Sets the directory in which the task starts.
     *
     * @param directory an existing directory; null: the directory of this process
     * @return this
     */
    public PvasProgram directory(Path directory) {
        this.directory = directory;
        return this;
    }

    /**
     * Sets the source of the task's standard input.
     *
     * @param source {@link Redirect#INHERIT}, {@link Redirect#PIPE} (see {@link PvasTask#stdin()}),
     *     or {@link Redirect#from a file}, such as {@code /dev/null}
     * @return this
     * @throws ArgumentException if source is null, or a redirection for writing
     */
    public PvasProgram stdin(Redirect source) {
        Redirect.Type type = Errors.required(source, "source").type();
        if (type == Redirect.Type.WRITE || type == Redirect.Type.APPEND) {
            throw Errors.argument("redirection for writing, expected one for reading: " + source);
        }
        streams[0] = source;
        return this;
    }

    /**
     * Sets the destination of the task's standard output.
     *
     * @param target {@link Redirect#INHERIT}, {@link Redirect#PIPE} (see
     *     {@link PvasTask#stdout()}), {@link Redirect#DISCARD}, or {@link Redirect#to a file}, or
     *     {@link Redirect#appendTo the end of one}
     * @return this
     * @throws ArgumentException if target is null, or a redirection for reading
     */
    public PvasProgram stdout(Redirect target) {
        streams[1] = output(target);
        return this;
    }

    /**
     * Sets the destination of the task's standard error.
     *
     * @param target as for {@link #stdout}; null: to the same place as its standard output
     * @return this
     * @throws ArgumentException if target is a redirection for reading
     */
    public PvasProgram stderr(Redirect target) {
        merged = target == null;
        streams[2] = merged ? Redirect.INHERIT : output(target);
        return this;
    }

    private static Redirect output(Redirect target) {
        if (Errors.required(target, "target").type() == Redirect.Type.READ) {
            throw Errors.argument("redirection for reading, expected one for writing: " + target);
        }
        return target;
    }

    /**
     * Sets the stack size of the task's first thread.
     *
     * @param bytes the size; 0: the limit of the system ({@code ulimit -s}), at most 64 MiB
     * @return this
     * @throws ArgumentException if bytes is negative
     */
    public PvasProgram stackBytes(long bytes) {
        if (bytes < 0) {
            throw Errors.argument("a stack of " + bytes + " bytes: expected 0 or more");
        }
        stackBytes = bytes;
        return this;
    }

    /**
     * Sets whether the task leads a separate process group. An interrupt from the terminal then
     * does not reach it.
     *
     * @param own whether it does; the default is false
     * @return this
     */
    public PvasProgram ownGroup(boolean own) {
        ownGroup = own;
        return this;
    }

    /** Returns a copy of the present description for one spawn. */
    PvasStart prepare() {
        List<String> all = new ArrayList<>(List.of(path));
        all.addAll(arguments);
        List<String> variables = new ArrayList<>();
        environment.forEach((name, value) ->
                variables.add(value == null ? name : name + "=" + value));
        return new PvasStart(PvasTexts.text("a path", path),
                PvasTexts.texts("an argument", all), all.size(),
                PvasTexts.texts("a variable", variables), variables.size(), freshEnvironment,
                PvasTexts.text("a directory", directory == null ? null : directory.toString()),
                new int[] {way(0), way(1), merged ? PvasBinding.MERGE : way(2)},
                new byte[][] {file(0), file(1), file(2)}, stackBytes, ownGroup);
    }

    private int way(int stream) {
        return switch (streams[stream].type()) {
            case PIPE -> PvasBinding.PIPE;
            case INHERIT -> PvasBinding.INHERIT;
            case READ -> PvasBinding.READ;
            case WRITE -> PvasBinding.WRITE;
            case APPEND -> PvasBinding.APPEND;
        };
    }

    private byte[] file(int stream) {
        File file = streams[stream].file();
        return PvasTexts.text("a file name", file == null ? null : file.getPath());
    }

    /**
     * Returns a human-readable description.
     *
     * @return the command
     */
    @Override
    public String toString() {
        return arguments.isEmpty() ? path : path + " " + String.join(" ", arguments);
    }
}
