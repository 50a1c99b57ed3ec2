// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.BlacsBinding;
import io.hayate.internal.blacs.GridState;
import io.hayate.internal.errors.Errors;
import java.util.Arrays;

/**
 * A grid of processes of the {@link Blacs}, whose members send, broadcast and combine sections of
 * matrices. A process is named by its row and column.
 *
 * <p>Messages from one process to another arrive in order. {@link #send} and the root of
 * {@link #bcast} are locally blocking: they return when the section may be changed, and do not need
 * the receivers. The other operations block until their result is there. The collective operations
 * of a scope (bcast, the combines, barrier) are called by all its processes in the same order.
 *
 * <p>One thread at a time may use a grid. The operations throw:
 * <ul>
 * <li>{@link ArgumentException} if an argument is null or out of range, the memory is read-only or
 *     of another job, or this process is not in the grid
 * <li>{@link MismatchException} if a section does not have as many bytes as the other side sends,
 *     or if processes of a scope make different calls: all of them get it, in that call or in a
 *     later one in which they wait, and the grid can then only be closed
 * <li>{@link BusyException} if another thread uses the grid
 * <li>{@link ClosedException} if the grid, the job or the memory is closed
 * <li>{@link PeerFailedException} if a process died
 * <li>{@link MemoryExhaustedException} if there is no memory for buffers
 * </ul>
 */
public final class BlacsGrid implements Grid, AutoCloseable {
    private static final int EVERYWHERE = -1;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final GridState state;

    /**
     * From which processes the elements of a combined section come; in the order of its columns.
     *
     * @param rows the rows of the processes
     * @param columns the columns of the processes
     */
    public record Locations(int[] rows, int[] columns) {
    }

    BlacsGrid(GridState state) {
        this.state = state;
    }

    /** Returns the numbers of the first processes. */
    static int[] first(int rows, int columns) {
        if (rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE) {
            throw Errors.argument("a grid of " + rows + " x " + columns + " processes: expected 1"
                    + " or more rows and columns");
        }
        int[] ranks = new int[rows * columns];
        Arrays.setAll(ranks, i -> i);
        return ranks;
    }

    /** Returns the rows of a grid in one array. */
    static int[] flat(int[][] ranks) {
        Errors.required(ranks, "ranks");
        if (ranks.length == 0) {
            throw Errors.argument("a grid without rows");
        }
        for (int[] row : ranks) {
            if (Errors.required(row, "a row of ranks").length != ranks[0].length) {
                throw Errors.argument("rows of " + ranks[0].length + " and " + row.length
                        + " ranks: expected equal lengths");
            }
        }
        return Arrays.stream(ranks).flatMapToInt(Arrays::stream).toArray();
    }

    /**
     * Creates a grid of processes of this one. Collective over this grid, which must stay open as
     * long as the new one: to close it closes both.
     *
     * @param places the rows of the new grid, all of the same length. A process is the number of
     *     its place in this grid, row by row: row * columns() + column
     * @return the grid; the caller closes it. On the other processes it is a grid without them
     * @throws ArgumentException if places is null, empty or not a grid, or this process is not in
     *     this grid
     * @throws MismatchException if the processes passed different values
     * @throws BusyException if another thread uses this grid
     * @throws ClosedException if this grid or the job is closed
     * @throws PeerFailedException if a rank died
     * @throws MemoryExhaustedException if there is no memory
     */
    public BlacsGrid grid(int[][] places) {
        int[] all = flat(places);
        return new BlacsGrid(state.grid(places.length, places[0].length, all));
    }

    @Override
    public int context() {
        return state.context();
    }

    @Override
    public int rows() {
        return state.rows;
    }

    @Override
    public int columns() {
        return state.columns;
    }

    @Override
    public int row() {
        return state.row;
    }

    @Override
    public int column() {
        return state.column;
    }

    /**
     * Returns whether this process is in the grid.
     *
     * @return {@code false} if it cannot use the grid
     */
    public boolean isMember() {
        return state.row >= 0;
    }

    /**
     * Sets whether {@link #sum} adds in the same order in every run, which may be slower. All
     * processes of the grid set the same value.
     *
     * @param repeatable {@code false} at first
     */
    public void setRepeatable(boolean repeatable) {
        state.setRepeatable(repeatable);
    }

    /**
     * Sets the topologies of the BLACS, which are hints: i, d, s (rings), m (many rings), f (fully
     * connected), h (hypercube), t (tree), 1 to 9 (tree with that many branches); blank, as at
     * first, lets Hayate choose. All processes of the grid set the same values. An operation throws
     * {@link ArgumentException} if there is no such topology.
     *
     * @param broadcast the topology of {@link #bcast}
     * @param combine the topology of the combines
     */
    public void setTopologies(char broadcast, char combine) {
        if (broadcast > 127 || combine > 127) {
            throw Errors.argument("topologies '" + broadcast + "', '" + combine + "': expected"
                    + " letters of ASCII");
        }
        state.setTopologies(broadcast, combine);
    }

    private static char letter(Scope scope) {
        return Errors.required(scope, "scope").letter;
    }

    /**
     * Sends a section to a process, also to this one.
     *
     * @param section what to send
     * @param row the row of the receiver
     * @param column the column of the receiver
     */
    public void send(Section section, int row, int column) {
        state.send(Section.state(section), row, column);
    }

    /**
     * Receives a section from a process.
     *
     * @param section what to overwrite; as many bytes as the sender sends
     * @param row the row of the sender
     * @param column the column of the sender
     * @throws MismatchException if the message has another length. A longer message can still be
     *     received into a larger section; a shorter one is lost
     */
    public void receive(Section section, int row, int column) {
        state.receive(Section.state(section), row, column);
    }

    /**
     * Sends the section of the root to the other processes of a scope.
     *
     * @param scope who takes part
     * @param section on the root what to send, elsewhere what to overwrite
     * @param rootRow the row of the root; not used if the scope is a row
     * @param rootColumn the column of the root; not used if the scope is a column
     */
    public void bcast(Scope scope, Section section, int rootRow, int rootColumn) {
        state.broadcast(letter(scope), Section.state(section), rootRow, rootColumn);
    }

    private void combine(Scope scope, int operation, Section section, int row, int column) {
        requirePlace(row, column);
        state.combine(letter(scope), operation, Section.state(section), row, column, null, null);
    }

    private Locations combineLocated(Scope scope, int operation, Section section) {
        char letter = letter(scope);
        long count = (long) Section.state(section).rows * section.columns();
        if (count > LONGEST_ARRAY) {
            throw Errors.argument(count + " elements: at most " + LONGEST_ARRAY
                    + " can have locations");
        }
        Locations from = new Locations(new int[(int) count], new int[(int) count]);
        state.combine(letter, operation, Section.state(section), EVERYWHERE, EVERYWHERE, from.rows,
                from.columns);
        return from;
    }

    /** The C side takes any negative number for all processes. */
    private static void requirePlace(int row, int column) {
        if (row < EVERYWHERE || column < EVERYWHERE) {
            throw Errors.argument("process (" + row + ", " + column + "): expected 0 or more");
        }
    }

    /**
     * Adds the sections of a scope, element by element.
     *
     * @param scope who takes part
     * @param section becomes the sum, on all processes
     */
    public void sum(Scope scope, Section section) {
        sum(scope, section, EVERYWHERE, EVERYWHERE);
    }

    /**
     * Adds the sections of a scope, element by element.
     *
     * @param scope who takes part
     * @param section becomes the sum on one process; on the others it stays as it is
     * @param row the row of that process, or -1 for all processes
     * @param column the column of that process, or -1 for all processes
     */
    public void sum(Scope scope, Section section, int row, int column) {
        combine(scope, BlacsBinding.SUM, section, row, column);
    }

    /**
     * Takes, for each element, the one with the largest absolute value, which is |re| + |im| for
     * complex numbers. NaN counts as larger than any number.
     *
     * @param scope who takes part
     * @param section becomes the result, on all processes
     */
    public void absMax(Scope scope, Section section) {
        absMax(scope, section, EVERYWHERE, EVERYWHERE);
    }

    /**
     * Takes the largest absolute values, like {@link #absMax(Scope, Section)}.
     *
     * @param scope who takes part
     * @param section becomes the result on one process; on the others it stays as it is
     * @param row the row of that process, or -1 for all processes
     * @param column the column of that process, or -1 for all processes
     */
    public void absMax(Scope scope, Section section, int row, int column) {
        combine(scope, BlacsBinding.ABS_MAX, section, row, column);
    }

    /**
     * Takes the largest absolute values, like {@link #absMax(Scope, Section)}, and tells whose they
     * are. Of equal values, that of the process with the smallest distance behind the first process
     * of the scope is taken.
     *
     * @param scope who takes part
     * @param section becomes the result, on all processes
     * @return the owners of the elements
     */
    public Locations absMaxLocated(Scope scope, Section section) {
        return combineLocated(scope, BlacsBinding.ABS_MAX, section);
    }

    /**
     * Takes, for each element, the one with the smallest absolute value, which is |re| + |im| for
     * complex numbers. NaN counts as smaller than any number.
     *
     * @param scope who takes part
     * @param section becomes the result, on all processes
     */
    public void absMin(Scope scope, Section section) {
        absMin(scope, section, EVERYWHERE, EVERYWHERE);
    }

    /**
     * Takes the smallest absolute values, like {@link #absMin(Scope, Section)}.
     *
     * @param scope who takes part
     * @param section becomes the result on one process; on the others it stays as it is
     * @param row the row of that process, or -1 for all processes
     * @param column the column of that process, or -1 for all processes
     */
    public void absMin(Scope scope, Section section, int row, int column) {
        combine(scope, BlacsBinding.ABS_MIN, section, row, column);
    }

    /**
     * Takes the smallest absolute values, like {@link #absMin(Scope, Section)}, and tells whose
     * they are, like {@link #absMaxLocated}.
     *
     * @param scope who takes part
     * @param section becomes the result, on all processes
     * @return the owners of the elements
     */
    public Locations absMinLocated(Scope scope, Section section) {
        return combineLocated(scope, BlacsBinding.ABS_MIN, section);
    }

    /**
     * Waits until all processes of a scope have called.
     *
     * @param scope who takes part
     */
    public void barrier(Scope scope) {
        state.barrier(letter(scope));
    }

    /**
     * Closes the grid on this process, and the grids made of it; idempotent, not collective. It
     * first waits for broadcasts of this process that other processes have not received yet.
     *
     * @throws BusyException if another thread uses the grid, or is in a call of ScaLAPACK; it then
     *     stays open
     * @throws PeerFailedException if a process died that has not received a broadcast; the grid is
     *     closed
     */
    @Override
    public void close() {
        state.close();
    }
}
