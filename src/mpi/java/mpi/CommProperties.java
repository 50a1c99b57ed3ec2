// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.HayateException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** What belongs to a communicator besides its members: its name, attributes, hints, handler. */
class CommProperties extends Collectives {
    Attributes attributes = new Attributes();
    private volatile Info info = new Info();
    private volatile String name = "";

    CommProperties() {
    }

    /** Does what may fail, and lets the error handler hear of it. */
    final <T> T guarded(Supplier<T> what) {
        try {
            return what.get();
        } catch (MPIException failure) {
            throw fails(failure);
        } catch (HayateException failure) {
            throw fails(failure);
        }
    }

    // ---- name, hints ----

    /**
     * Gives the communicator a name, for messages to people.
     *
     * @param name its name, of which 63 characters are kept
     */
    public final void setName(String name) {
        requireOpen();
        if (name == null) {
            throw fails(ErrorClass.ARG, "the name is null: expected a string");
        }
        this.name = name.substring(0, Math.min(name.length(), Constants.MAX_OBJECT_NAME - 1));
    }

    /**
     * Returns the name of the communicator.
     *
     * @return the name, empty if it has none
     */
    public final String getName() {
        requireOpen();
        return name;
    }

    /**
     * Replaces the hints of the communicator. They are kept, and have no effect.
     *
     * @param info the hints, which are copied
     */
    public final void setInfo(Info info) {
        requireOpen();
        this.info = guarded(() -> Info.copyOf(info));
    }

    /**
     * Returns the hints of the communicator.
     *
     * @return a copy
     */
    public final Info getInfo() {
        requireOpen();
        return info.dup();
    }

    /** Takes what a duplicate takes from its original. */
    final void copyFrom(CommProperties original) {
        attributes = original.attributes.copy();
        info = original.info.dup();
    }

    // ---- attributes ----

    /**
     * Creates a key under which objects can be attached to communicators.
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
     * Attaches an object to the communicator. A duplicate has the same object.
     *
     * @param keyval a key of {@link #createKeyval}
     * @param value the object
     */
    public final void setAttr(int keyval, Object value) {
        requireOpen();
        guarded(() -> {
            attributes.set(keyval, value);
            return null;
        });
    }

    /**
     * Returns what is attached under a key.
     *
     * @param keyval a key of {@link #createKeyval}, or a predefined one, such as {@code MPI.TAG_UB}
     * @return the object or null; an Integer for predefined keys, a Boolean for WTIME_IS_GLOBAL
     */
    public final Object getAttr(int keyval) {
        Engine its = requireOpen();
        return switch (keyval) {
            case Constants.TAG_UB -> Integer.MAX_VALUE;
            case Constants.HOST -> Constants.PROC_NULL;
            case Constants.IO -> Constants.ANY_SOURCE;
            case Constants.WTIME_IS_GLOBAL -> false;
            case Constants.APPNUM -> 0;
            case Constants.LASTUSEDCODE -> ErrorClass.LASTCODE;
            case Constants.UNIVERSE_SIZE -> its.job.size();
            default -> guarded(() -> attributes.get(keyval));
        };
    }

    /**
     * Detaches what is attached under a key.
     *
     * @param keyval the key
     */
    public final void deleteAttr(int keyval) {
        requireOpen();
        guarded(() -> {
            attributes.delete(keyval);
            return null;
        });
    }

    /**
     * mpiJava: returns what is attached under a key, as {@link #getAttr}.
     *
     * @param keyval the key
     * @return the object, or null
     */
    public Object Attr_get(int keyval) {
        return getAttr(keyval);
    }

    /**
     * mpiJava: detaches what is attached under a key, as {@link #deleteAttr}.
     *
     * @param keyval the key
     */
    public void Attr_delete(int keyval) {
        deleteAttr(keyval);
    }

    // ---- errors ----

    /**
     * Says what happens when a call on this communicator fails.
     *
     * @param errhandler {@code MPI.ERRORS_RETURN}, the initial one: it throws; or one that aborts
     */
    public final void setErrhandler(Errhandler errhandler) {
        requireOpen();
        handler(errhandler);
    }

    /**
     * Returns what happens when a call on this communicator fails.
     *
     * @return the error handler
     */
    public final Errhandler getErrhandler() {
        requireOpen();
        return handler();
    }

    /**
     * Does what the error handler does, which is nothing if it is {@code MPI.ERRORS_RETURN}.
     *
     * @param errorCode the error class
     * @throws MPIException if the communicator has no other handler than the initial one
     */
    public void callErrhandler(int errorCode) {
        requireOpen();
        if (handler() != Errhandler.RETURN) {
            throw fails(errorCode, "the program has called the error handler");
        }
    }

    /**
     * Ends the job, also the processes that do not belong to the communicator.
     *
     * @param errorcode the exit code, of which 8 bits are used; 1 if these are 0
     */
    public final void abort(int errorcode) {
        int code = errorcode & 255;
        requireOpen().job.abort(code == 0 ? 1 : code, "the program has called abort(" + errorcode
                + ")");
    }

    /**
     * mpiJava: ends the job, as {@link #abort}.
     *
     * @param errorcode the exit code
     */
    public void Abort(int errorcode) {
        abort(errorcode);
    }

    // ---- packing ----

    /**
     * Packs elements into a byte array, behind others.
     *
     * @param inbuf the elements
     * @param incount their number
     * @param type their type
     * @param outbuf the array
     * @param position where to begin
     * @return where to go on
     */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) {
        requireOpen();
        return guarded(() -> {
            Layout.check(inbuf, 0, incount, type);
            ByteBuffer packed = packed(outbuf, position, type);
            Packing.pack(inbuf, 0, incount, type, packed);
            return packed.position();
        });
    }

    /**
     * Unpacks elements from a byte array.
     *
     * @param inbuf the array
     * @param position where to begin
     * @param outbuf the room for the elements
     * @param outcount their number
     * @param type their type
     * @return where to go on
     */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount,
            Datatype type) {
        requireOpen();
        return guarded(() -> {
            Layout.checkReceive(outbuf, 0, outcount, type);
            ByteBuffer packed = packed(inbuf, position, type);
            long bytes = Layout.bytesNeeded(outcount, type);
            if (bytes > packed.remaining()) {
                throw new MPIException(ErrorClass.TRUNCATE, outcount + " elements of the datatype "
                        + type + " are " + bytes + " bytes, and " + packed.remaining()
                        + " are left in the array");
            }
            Packing.unpack(packed, outbuf, 0, outcount, type);
            return packed.position();
        });
    }

    private static ByteBuffer packed(byte[] array, int position, Datatype type) {
        if (array == null || position < 0 || position > array.length) {
            throw new MPIException(ErrorClass.ARG, "position " + position + " of "
                    + (array == null ? "null" : array.length + " bytes") + ": expected one within"
                    + " an array");
        }
        if (type.kind.element == Kind.OBJECT) {
            throw new MPIException(ErrorClass.TYPE, "objects cannot be packed: send them with"
                    + " MPI.OBJECT");
        }
        return ByteBuffer.wrap(array).position(position);
    }

    /**
     * Returns the bytes that packed elements take.
     *
     * @param incount the number of elements
     * @param type their type
     * @return the number of bytes
     */
    public final int packSize(int incount, Datatype type) {
        requireOpen();
        return guarded(() -> {
            long bytes = Layout.bytesNeeded(incount, Datatype.usable(type));
            if (incount < 0 || bytes > Integer.MAX_VALUE) {
                throw new MPIException(ErrorClass.COUNT, "the number of elements is " + incount
                        + ": expected 0 or more, and less than 2 GiB of packed bytes");
            }
            return (int) bytes;
        });
    }

    /**
     * mpiJava: returns the bytes that packed elements take, as {@link #packSize}.
     *
     * @param incount the number of elements
     * @param datatype their type
     * @return the number of bytes
     */
    public int Pack_size(int incount, Datatype datatype) {
        return packSize(incount, datatype);
    }
}
