// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.MemoryBinding;
import java.nio.Buffer;

/** What belongs to a window besides its memory: its name, attributes, hints, handler, group. */
class WinProperties extends WinState {
    private final Attributes attributes = new Attributes();
    private volatile Info info = new Info();
    private volatile String name = "";
    /** Whether members can be locked. */
    boolean hasLocks;

    WinProperties() {
    }

    /** Notes the hints of the creation. */
    final void describe(Info hints) {
        info = required(hints).isNull() ? new Info() : hints.dup();
        hasLocks = !"true".equals(info.get("no_locks"));
    }

    /** Returns the address of the memory of this rank. */
    private long base() {
        Buffer memory = part.allocated() != null ? mapped[rank] : part.base();
        return memory == null ? 0 : MemoryBinding.address(memory);
    }

    /** Returns hints, which must not be null. */
    static Info required(Info info) {
        if (info == null) {
            throw new MPIException(ErrorClass.INFO, "the info is null: expected hints, or"
                    + " MPI.INFO_NULL");
        }
        return info;
    }

    /**
     * Gives the window a name, for messages to people.
     *
     * @param name its name, of which 63 characters are kept
     */
    public void setName(String name) {
        requireOpen();
        if (name == null) {
            throw fails(new MPIException(ErrorClass.ARG, "the name is null: expected a string"));
        }
        this.name = name.substring(0, Math.min(name.length(), Constants.MAX_OBJECT_NAME - 1));
    }

    /**
     * Returns the name of the window.
     *
     * @return the name, empty if it has none
     */
    public String getName() {
        requireOpen();
        return name;
    }

    /**
     * Replaces the hints of the window. They are kept, and have no effect after its creation.
     *
     * @param info the hints, which are copied
     */
    public void setInfo(Info info) {
        requireOpen();
        guard(() -> this.info = required(info).isNull() ? new Info() : info.dup());
    }

    /**
     * Returns the hints of the window.
     *
     * @return a copy
     */
    public Info getInfo() {
        requireOpen();
        return info.dup();
    }

    /**
     * Returns the group of the members.
     *
     * @return a new group
     */
    public Group getGroup() {
        return new Group(members, requireOpen().job.rank());
    }

    /**
     * Creates a key under which objects can be attached to windows.
     *
     * @return the key
     */
    public static int createKeyval() {
        return Attributes.createKeyval();
    }

    /**
     * Frees a key. What is attached under it can no longer be reached.
     *
     * @param keyval the key
     */
    public static void freeKeyval(int keyval) {
        Attributes.freeKeyval(keyval);
    }

    /**
     * Attaches an object to the window.
     *
     * @param keyval a key of {@link #createKeyval}
     * @param value the object
     */
    public void setAttr(int keyval, Object value) {
        requireOpen();
        guard(() -> attributes.set(keyval, value));
    }

    /**
     * Returns what is attached under a key.
     *
     * @param keyval a key of {@link #createKeyval}; or {@code MPI.WIN_BASE}, the address of this
     *     rank's memory as a Long, {@code MPI.WIN_SIZE}, its bytes as an Integer, or
     *     {@code MPI.WIN_DISP_UNIT}, the bytes of a displacement as an Integer
     * @return the object, or null
     */
    public Object getAttr(int keyval) {
        requireOpen();
        return switch (keyval) {
            case Constants.WIN_BASE -> base();
            case Constants.WIN_SIZE -> (int) Math.min(Integer.MAX_VALUE, part.bytes());
            case Constants.WIN_DISP_UNIT -> units[rank];
            default -> guarded(() -> attributes.get(keyval));
        };
    }

    /**
     * Detaches what is attached under a key.
     *
     * @param keyval the key
     */
    public void deleteAttr(int keyval) {
        requireOpen();
        guard(() -> attributes.delete(keyval));
    }

    /**
     * Says what happens when a call on this window fails.
     *
     * @param errhandler {@code MPI.ERRORS_RETURN}, the initial one: it throws; or one that aborts
     */
    public void setErrhandler(Errhandler errhandler) {
        requireOpen();
        handler(errhandler);
    }

    /**
     * Returns what happens when a call on this window fails.
     *
     * @return the error handler
     */
    public Errhandler getErrhandler() {
        requireOpen();
        return handler();
    }

    /**
     * Does what the error handler does, which is nothing if it is {@code MPI.ERRORS_RETURN}.
     *
     * @param errorCode the error class
     */
    public void callErrhandler(int errorCode) {
        requireOpen();
        if (handler().aborts()) {
            throw fails(new MPIException(errorCode, "the program has called the error handler"));
        }
    }
}
