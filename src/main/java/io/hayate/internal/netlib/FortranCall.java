// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.netlib;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.hayate.internal.errors.Errors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A call of a routine of ScaLAPACK. Arguments are added in the order of its manual, by name; all
 * are passed by reference. The letters of types are those of the routines' names: i, s, d, c, z.
 *
 * <p>Work arrays whose size the routine tells are allocated by {@link #run}, which then calls the
 * routine twice.
 */
public final class FortranCall implements AutoCloseable {
    /** More than any routine needs for its scalars and descriptors. */
    private static final int CELLS = 2048;
    private static final int CELL = 16;
    /** The entries of a descriptor, as the manual of ScaLAPACK names them. */
    private static final List<String> DESCRIPTOR = List.of("DTYPE_", "CTXT_", "M_", "N_", "MB_",
            "NB_", "RSRC_", "CSRC_", "LLD_");
    private static final int DESCRIPTOR_FACTOR = 100;

    /**
     * A work array: its place among the arguments, the cell of its length, and the least length
     * that the caller wants.
     */
    private record Work(int place, Pointer length, char type, long least) {
    }

    private final String routine;
    private final Function function;
    private final Consumer<Runnable> runner;
    private final Memory cells = new Memory(CELLS);
    private final List<Memory> arrays = new ArrayList<>();
    private final List<Object> arguments = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<Work> works = new ArrayList<>();
    private int used;
    private int strings;

    /** An array for results; its elements can be read until the call is closed. */
    public static final class Array {
        private final Pointer memory;
        private final char type;
        private final long length;

        private Array(Pointer memory, char type, long length) {
            this.memory = memory;
            this.type = type;
            this.length = length;
        }

        public int[] ints() {
            return memory.getIntArray(0, Math.toIntExact(length));
        }

        /** Returns the numbers; complex ones are pairs of values. */
        public double[] numbers() {
            double[] values = new double[Math.toIntExact(length * parts(type))];
            for (int i = 0; i < values.length; i++) {
                values[i] = isDouble(type) ? memory.getDouble((long) i * Double.BYTES)
                        : memory.getFloat((long) i * Float.BYTES);
            }
            return values;
        }
    }

    /**
     * Begins a call, such as of "pdgesv"; the runner runs the native code. The caller is between
     * {@link ScaLapackLibrary#enter} and {@link ScaLapackLibrary#leave}.
     */
    public FortranCall(ScaLapackLibrary library, String routine, Consumer<Runnable> runner) {
        this.runner = runner;
        this.routine = routine;
        function = library.function(routine + "_");
    }

    private Pointer cell(int bytes) {
        Pointer cell = cells.share(used, bytes);
        used += (bytes + CELL - 1) / CELL * CELL;
        return cell;
    }

    private FortranCall add(String name, Object argument) {
        names.add(name);
        arguments.add(argument);
        return this;
    }

    /** Adds a CHARACTER*1. Its hidden length follows after all arguments. */
    public FortranCall character(String name, char value) {
        Pointer cell = cell(1);
        cell.setByte(0, (byte) value);
        strings++;
        return add(name, cell);
    }

    public FortranCall integer(String name, int value) {
        Pointer cell = cell(Integer.BYTES);
        cell.setInt(0, value);
        return add(name, cell);
    }

    /** Adds a real number as an element of a type. */
    public FortranCall number(String name, char type, double value) {
        Pointer cell = cell(CELL);
        if (isDouble(type)) {
            cell.setDouble(0, value);
            cell.setDouble(Double.BYTES, 0);
        } else {
            cell.setFloat(0, (float) value);
            cell.setFloat(Float.BYTES, 0);
        }
        return add(name, cell);
    }

    /**
     * Adds a distributed matrix: its memory, the row and column of the first element, which count
     * from 1, and DESC.
     */
    public FortranCall matrix(String name, long address, int row, int column, int... descriptor) {
        Pointer cell = cell(descriptor.length * Integer.BYTES);
        cell.write(0, descriptor, 0, descriptor.length);
        add(name, new Pointer(address));
        integer("I" + name, row);
        integer("J" + name, column);
        return add("DESC" + name, cell);
    }

    /** Adds an array for results. */
    public Array array(String name, char type, long length) {
        Memory memory = allocate(type, length);
        memory.clear();
        add(name, memory);
        return new Array(memory, type, length);
    }

    /** Adds an array of ints. */
    public FortranCall ints(String name, int... values) {
        array(name, 'i', values.length).memory.write(0, values, 0, values.length);
        return this;
    }

    /** Adds an array of numbers; complex ones are pairs of values. */
    public FortranCall numbers(String name, char type, double... values) {
        Pointer memory = array(name, type, values.length / parts(type)).memory;
        if (isDouble(type)) {
            memory.write(0, values, 0, values.length);
        } else {
            for (int i = 0; i < values.length; i++) {
                memory.setFloat((long) i * Float.BYTES, (float) values[i]);
            }
        }
        return this;
    }

    /** Adds a work array and its length, LWORK or the like. */
    public FortranCall work(String name, char type) {
        return work(name, type, 1);
    }

    /** Adds a work array that has at least some elements, whatever length the routine tells. */
    public FortranCall work(String name, char type, long least) {
        add(name, null);
        Pointer length = cell(Integer.BYTES);
        works.add(new Work(arguments.size() - 1, length, type, least));
        return add("L" + name, length);
    }

    private Memory allocate(char type, long length) {
        Memory array = new Memory(Math.max(1, length) * bytes(type));
        arrays.add(array);
        return array;
    }

    /** Runs a routine that returns INFO, its last argument; returns INFO. */
    public int run() {
        Pointer info = cell(Integer.BYTES);
        add("INFO", info);
        if (!works.isEmpty()) {
            works.forEach(work -> size(work, 1, -1));
            invokeVoid();
            if (info.getInt(0) != 0) {
                return info.getInt(0);
            }
            works.forEach(this::allocate);
        }
        invokeVoid();
        return info.getInt(0);
    }

    private void allocate(Work work) {
        int told = told((Pointer) arguments.get(work.place), work.type);
        if (told < 0) {
            throw Errors.argument(routine + ": the length of its work space is no int, as the"
                    + " matrices are too large: use more processes or smaller blocks");
        }
        int length = (int) Math.min(Math.max(told, work.least), Integer.MAX_VALUE);
        size(work, length, length);
    }

    private void size(Work work, long length, int told) {
        Memory array = allocate(work.type, length);
        if (told < 0) {
            array.clear(); // a routine may leave an array of length 0 as it is
        }
        arguments.set(work.place, array);
        work.length.setInt(0, told);
    }

    /**
     * A length in the first element of a work array; negative if the routine could not compute it.
     * A float above 2^24 may have been rounded.
     */
    private static int told(Pointer work, char type) {
        double length = type == 'i' ? work.getInt(0) : isDouble(type) ? work.getDouble(0)
                : Math.nextUp(work.getFloat(0));
        return (int) (length < 0 ? -1 : Math.max(1, Math.ceil(length)));
    }

    /** Runs a subroutine without INFO. */
    public void runWithoutInfo() {
        invokeVoid();
    }

    /** Runs a function whose result is a real number, of the precision of a type. */
    public double runFunction(char type) {
        double[] result = new double[1];
        runner.accept(() -> result[0] = isDouble(type) ? function.invokeDouble(allArguments())
                : function.invokeFloat(allArguments()));
        return result[0];
    }

    private void invokeVoid() {
        runner.accept(() -> function.invokeVoid(allArguments()));
    }

    private Object[] allArguments() {
        List<Object> all = new ArrayList<>(arguments);
        for (int i = 0; i < strings; i++) {
            all.add(1L);
        }
        return all.toArray();
    }

    /** Says which argument a negative INFO refuses. */
    public String refused(int info) {
        int argument = -info >= DESCRIPTOR_FACTOR ? -info / DESCRIPTOR_FACTOR : -info;
        String name = argument <= names.size() ? names.get(argument - 1) : "unknown";
        int entry = -info % DESCRIPTOR_FACTOR;
        String part = -info < DESCRIPTOR_FACTOR || entry < 1 || entry > DESCRIPTOR.size() ? ""
                : ", entry " + entry + " (" + DESCRIPTOR.get(entry - 1) + ")";
        return routine + " refused argument " + argument + ", " + name + part + " (INFO = " + info
                + "): the shapes, blocks and grids of the matrices must fit together, and all"
                + " processes must pass the same";
    }

    @Override
    public void close() {
        arrays.forEach(Memory::close);
        cells.close();
    }

    private static boolean isDouble(char type) {
        return type == 'd' || type == 'z';
    }

    private static int parts(char type) {
        return type == 'c' || type == 'z' ? 2 : 1;
    }

    private static int bytes(char type) {
        return switch (type) {
            case 'i', 's' -> Float.BYTES;
            case 'd', 'c' -> Double.BYTES;
            default -> 2 * Double.BYTES;
        };
    }
}
