// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
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
 * What a task is to run: an unmodified position-independent program, and what it starts with. Its
 * standard streams are by default those of this process.
 *
 * <pre>{@code
 * PvasProgram.of("/usr/bin/solver", "--steps", "100")
 *         .environment("OMP_NUM_THREADS", "1")
 *         .directory(Path.of("/data"))
 *         .stdout(ProcessBuilder.Redirect.PIPE)
 * }</pre>
 *
 * <p>A description can be spawned any number of times; what is set later counts for later spawns.
 * It is not safe for use by several threads at a time. Every method that sets something returns
 * this object. File names, arguments and the environment are passed in the encoding of file names
 * ({@code sun.jnu.encoding}), in UTF-8 if that lacks a character.
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
     * A program with arguments.
     *
     * @param path its file, which is not searched for; relative to this process's directory. Of a
     *     script the interpreter in its first line is run
     * @param arguments behind the name, which is {@code path}
     * @return a description with everything else by default
     * @throws ArgumentException if something is null
     */
    public static PvasProgram of(String path, String... arguments) {
        return new PvasProgram(path, Arrays.asList(Errors.required(arguments, "arguments")));
    }

    /**
     * A program with arguments.
     *
     * @param path its file; see {@link #of(String, String...)}
     * @param arguments behind the name
     * @return a description with everything else by default
     * @throws ArgumentException if something is null
     */
    public static PvasProgram of(String path, List<String> arguments) {
        return new PvasProgram(path, arguments);
    }

    /**
     * Sets a variable of its environment, which is otherwise that of this process.
     *
     * @param name its name, not empty and without {@code =}
     * @param value its value; null: the task has no such variable
     * @return this
     * @throws ArgumentException if it is no name
     */
    public PvasProgram environment(String name, String value) {
        Errors.required(name, "name");
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw Errors.argument("\"" + name + "\" is no name of a variable");
        }
        environment.put(name, value);
        return this;
    }

    /**
     * Its environment is empty, but for what is set by {@link #environment} from now on.
     *
     * @return this
     */
    public PvasProgram emptyEnvironment() {
        environment.clear();
        freshEnvironment = true;
        return this;
    }

    /**
     * The directory it starts in.
     *
     * @param directory an existing one; null: that of this process
     * @return this
     */
    public PvasProgram directory(Path directory) {
        this.directory = directory;
        return this;
    }

    /**
     * Where its standard input comes from.
     *
     * @param source {@link Redirect#INHERIT}, {@link Redirect#PIPE} (see {@link PvasTask#stdin()}),
     *     or {@link Redirect#from a file}, such as {@code /dev/null}
     * @return this
     * @throws ArgumentException if it is null, or to be written to
     */
    public PvasProgram stdin(Redirect source) {
        Redirect.Type type = Errors.required(source, "source").type();
        if (type == Redirect.Type.WRITE || type == Redirect.Type.APPEND) {
            throw Errors.argument("a standard input that is written to: " + source);
        }
        streams[0] = source;
        return this;
    }

    /**
     * Where its standard output goes.
     *
     * @param target {@link Redirect#INHERIT}, {@link Redirect#PIPE} (see
     *     {@link PvasTask#stdout()}), {@link Redirect#DISCARD}, or {@link Redirect#to a file}, or
     *     {@link Redirect#appendTo the end of one}
     * @return this
     * @throws ArgumentException if it is null, or to be read from
     */
    public PvasProgram stdout(Redirect target) {
        streams[1] = output(target);
        return this;
    }

    /**
     * Where its standard error goes.
     *
     * @param target as for {@link #stdout}; null: to the same place as its standard output
     * @return this
     * @throws ArgumentException if it is to be read from
     */
    public PvasProgram stderr(Redirect target) {
        merged = target == null;
        streams[2] = merged ? Redirect.INHERIT : output(target);
        return this;
    }

    private static Redirect output(Redirect target) {
        if (Errors.required(target, "target").type() == Redirect.Type.READ) {
            throw Errors.argument("an output that is read from: " + target);
        }
        return target;
    }

    /**
     * The size of its first thread's stack.
     *
     * @param bytes 0: as limited by the system ({@code ulimit -s}), at most 64 MiB
     * @return this
     * @throws ArgumentException if it is negative
     */
    public PvasProgram stackBytes(long bytes) {
        if (bytes < 0) {
            throw Errors.argument("a stack of " + bytes + " bytes");
        }
        stackBytes = bytes;
        return this;
    }

    /**
     * Whether it leads a process group of its own: then an interrupt from the terminal does not
     * reach it.
     *
     * @param own by default not
     * @return this
     */
    public PvasProgram ownGroup(boolean own) {
        ownGroup = own;
        return this;
    }

    /** As it is now, for one spawn. */
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
     * Human-readable description.
     *
     * @return the command
     */
    @Override
    public String toString() {
        return arguments.isEmpty() ? path : path + " " + String.join(" ", arguments);
    }
}
