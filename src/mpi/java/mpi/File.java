// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.HayateException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A file that the ranks of a communicator have opened together. What one rank writes, the others of
 * the same file system read after both have synchronized, for example by {@link #sync} and a
 * barrier, or at once in atomic mode.
 *
 * <p>Collective methods say so: all ranks of the file call them, in the same order. One that fails
 * on one rank fails on all of them, with the same error class.
 */
public final class File extends SplitFileAccess {
    private Path path;
    private Info info;

    /**
     * Opens a file; collective over the communicator.
     *
     * @param comm an intracommunicator
     * @param filename its name in the file system
     * @param amode the sum of {@code MPI.MODE_*}, of which exactly one is {@code MODE_RDONLY},
     *     {@code MODE_WRONLY} or {@code MODE_RDWR}; the same on all ranks
     * @throws MPIException as {@link #File(Comm, String, int, Info)}
     */
    public File(Comm comm, String filename, int amode) {
        this(comm, filename, amode, Info.NULL);
    }

    /**
     * Opens a file; collective over the communicator. Its view is that of bytes from its beginning.
     *
     * @param comm an intracommunicator
     * @param filename its name in the file system
     * @param amode the sum of {@code MPI.MODE_*}, of which exactly one is {@code MODE_RDONLY},
     *     {@code MODE_WRONLY} or {@code MODE_RDWR}; the same on all ranks
     * @param info hints, which are kept, and have no effect; or {@code MPI.INFO_NULL}
     * @throws MPIException ERR_COMM, ERR_ARG, ERR_INFO, ERR_AMODE for modes that contradict each
     *     other, ERR_NOT_SAME if they differ, ERR_NO_SUCH_FILE, ERR_FILE_EXISTS with {@code
     *     MODE_EXCL}, ERR_ACCESS, ERR_READ_ONLY, ERR_BAD_FILE for a name of something else
     */
    public File(Comm comm, String filename, int amode, Info info) {
        requireIntracomm(comm);
        engine = comm.engine;
        members = comm.members;
        mode = new AccessMode(amode);
        try {
            ranks = comm.collectives.dup();
            open(filename, info);
        } catch (HayateException failure) {
            throw Failures.of(failure);
        } finally {
            if (store == null && ranks != null) {
                Comm.close(ranks);
            }
        }
    }

    private static void requireIntracomm(Comm comm) {
        if (comm != null) {
            comm.requireOpen();
        }
        if (comm == null || comm.isInterComm()) {
            throw new MPIException(ErrorClass.COMM, "the communicator of a file is null or an"
                    + " intercommunicator: expected one of one group");
        }
    }

    private void open(String filename, Info hints) {
        MPIException failure = Agreement.failureOf(() -> {
            info = Info.copyOf(hints);
            path = Store.path(filename);
            mode.check();
        });
        Agreement.exchange(ranks, failure, mode.flags()).requireSame(0, "the access mode")
                .requireSuccess(failure);
        try {
            openFirst();
            Agreement.on(ranks, () -> {
                if (rank() != OWNER) {
                    store = Store.open(path, mode, false);
                }
            });
        } catch (RuntimeException why) {
            abandon();
            throw why;
        }
    }

    /** One rank opens it, because only one can create it, and tells where the pointers begin. */
    private void openFirst() {
        long[] begin = {0};
        MPIException failure = Agreement.failureOf(() -> {
            if (rank() == OWNER) {
                store = Store.open(path, mode, true);
                begin[0] = mode.has(Constants.MODE_APPEND) ? store.size() : 0;
                word = engine.words.take();
                shared(begin[0]);
            }
        });
        Agreement agreed = Agreement.on(ranks, failure, word, begin[0]);
        word = (int) agreed.of(OWNER, 0);
        position.set(agreed.of(OWNER, 1));
    }

    private void abandon() {
        if (store != null) {
            store.close();
            if (rank() == OWNER) {
                deleteCreated();
            }
            store = null;
        }
        if (rank() == OWNER && word >= 0) {
            engine.words.give(word);
        }
    }

    /** With these modes only this call can have created it. */
    private void deleteCreated() {
        try {
            if (mode.has(Constants.MODE_CREATE) && mode.has(Constants.MODE_EXCL)) {
                Store.delete(path);
            }
        } catch (MPIException kept) {
            // the failure of opening is told
        }
    }

    /**
     * Closes the file; collective. With {@code MODE_DELETE_ON_CLOSE} it is deleted then.
     *
     * @throws MPIException ERR_REQUEST if a request is open on a rank, ERR_IO if an access was
     *     begun and not ended; then the file stays open
     */
    public void close() {
        call(() -> {
            Agreement.on(ranks, this::requireQuiet);
            Store mine = store;
            store = null;
            MPIException failure = Agreement.failureOf(() -> {
                awaitBackground();
                mine.close();
            });
            Agreement closed = Agreement.exchange(ranks, failure);
            MPIException late = Agreement.failureOf(this::leave);
            Agreement left = Agreement.exchange(ranks, late);
            Comm.close(ranks);
            closed.requireSuccess(failure);
            left.requireSuccess(late);
        });
    }

    /** One rank does what is to be done when all have closed it. */
    private void leave() {
        if (rank() == OWNER) {
            engine.words.give(word);
            if (mode.has(Constants.MODE_DELETE_ON_CLOSE)) {
                Store.delete(path);
            }
        }
    }

    private void requireQuiet() {
        if (isSplit()) {
            throw new MPIException(ErrorClass.IO, "a collective access was begun and not ended:"
                    + " expected its end before close");
        }
        if (requests.get() != 0) {
            throw new MPIException(ErrorClass.REQUEST, requests + " requests of the file are open:"
                    + " wait for them before close");
        }
    }

    /**
     * Deletes a file.
     *
     * @param filename its name
     * @throws MPIException ERR_NO_SUCH_FILE, ERR_ACCESS, ERR_BAD_FILE for a directory
     */
    public static void delete(String filename) {
        delete(filename, Info.NULL);
    }

    /**
     * Deletes a file.
     *
     * @param filename its name
     * @param info hints, without effect
     * @throws MPIException ERR_NO_SUCH_FILE, ERR_ACCESS, ERR_BAD_FILE for a directory
     */
    public static void delete(String filename, Info info) {
        Engine.get();
        Store.delete(Store.path(filename));
    }

    // ---- size ----

    /**
     * Makes the file longer or shorter; collective.
     *
     * @param size bytes, the same on all ranks
     * @throws MPIException ERR_ARG, ERR_NOT_SAME, ERR_READ_ONLY, ERR_UNSUPPORTED_OPERATION with
     *     {@code MODE_SEQUENTIAL}, ERR_IO
     */
    public void setSize(long size) {
        resize(size, length -> store.resize(length));
    }

    /**
     * Makes the file at least as long, and lets the file system provide the room for what is added;
     * collective.
     *
     * @param size bytes, the same on all ranks
     * @throws MPIException as {@link #setSize}, and ERR_NO_SPACE
     */
    public void preallocate(long size) {
        resize(size, length -> store.extend(length));
    }

    private void resize(long size, LongConsumer change) {
        call(() -> {
            Agreement.on(ranks, () -> {
                mode.requireRandom();
                mode.requireWrites();
                if (size < 0) {
                    throw new MPIException(ErrorClass.ARG, "the size is " + size
                            + ": expected 0 or more");
                }
            }, size).requireSame(0, "the size");
            Agreement.on(ranks, () -> {
                if (rank() == OWNER) {
                    change.accept(size);
                }
            });
        });
    }

    /**
     * Returns the size of the file.
     *
     * @return bytes
     */
    public long getSize() {
        return guarded(() -> store.size());
    }

    // ---- the view ----

    /**
     * Sets the view of this rank; collective, as {@link #setView(long, Datatype, Datatype, String,
     * Info)}.
     *
     * @param disp where it begins, in bytes
     * @param etype the unit of offsets
     * @param filetype the data that are seen, repeated from the displacement on
     * @param datarep "native" or "internal", which are the same here
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) {
        setView(disp, etype, filetype, datarep, Info.NULL);
    }

    /**
     * Sets the view of this rank, and both pointers to its beginning; collective. The blocks of a
     * filetype must follow each other, and not overlap if the file can be written; nor may then a
     * copy of it and the next one. Whether later ones do is not checked: those of columns do only
     * from some number on.
     *
     * @param disp where it begins, in bytes; with {@code MODE_SEQUENTIAL}
     *     {@code MPI.DISPLACEMENT_CURRENT}: where the shared pointer is
     * @param etype the unit of offsets, committed, of the same extent on all ranks
     * @param filetype the data that are seen, repeated from the displacement on; committed
     * @param datarep "native" or "internal", which are the same here
     * @param hints hints, which are kept, and have no effect
     * @throws MPIException ERR_ARG, ERR_TYPE if a datatype cannot be used in a view, ERR_NOT_SAME,
     *     ERR_UNSUPPORTED_DATAREP, also for "external32"
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep,
            Info hints) {
        call(() -> {
            Info[] more = {null};
            MPIException failure = Agreement.failureOf(() -> {
                more[0] = Info.copyOf(hints);
                checkRepresentation(datarep);
                ViewTypes.check(etype, filetype, mode.writes());
                requireBegin(disp);
            });
            Agreement.on(ranks, failure, failure == null ? etype.map.extent() : 0)
                    .requireSame(0, "the extent of the etype");
            // All have called it, so the shared pointer stays where it is.
            long[] begin = {disp};
            MPIException late = Agreement.failureOf(() -> {
                if (rank() == OWNER) {
                    begin[0] = mode.isSequential() ? map.place(byteOf(shared())) : disp;
                    shared(0);
                }
            });
            Agreement agreed = Agreement.on(ranks, late, begin[0]);
            map = new FileMap(mode.isSequential() ? agreed.of(OWNER, 0) : disp, filetype.map);
            view = new FileView(map.disp, Datatype.lasting(etype), Datatype.lasting(filetype),
                    datarep);
            position.set(0);
            add(more[0]);
        });
    }

    private static void checkRepresentation(String datarep) {
        if (!"native".equals(datarep) && !"internal".equals(datarep)) {
            throw new MPIException(ErrorClass.UNSUPPORTED_DATAREP, "the data representation is \""
                    + datarep + "\": expected \"native\"; external32 and others do not exist here");
        }
    }

    private void requireBegin(long disp) {
        boolean current = disp == Constants.DISPLACEMENT_CURRENT;
        if (current != mode.isSequential() || disp < 0 && !current) {
            throw new MPIException(ErrorClass.ARG, "the displacement is " + disp + ": expected "
                    + (mode.isSequential() ? "MPI.DISPLACEMENT_CURRENT with MODE_SEQUENTIAL"
                            : "0 or more"));
        }
    }

    /**
     * Returns the view of this rank.
     *
     * @return what {@link #setView} was called with
     */
    public FileView getView() {
        return guarded(() -> view);
    }

    /**
     * Returns the distance in the file from one element of a datatype to the next.
     *
     * @param type the datatype
     * @return as {@link Datatype#getExtent}
     */
    public int getTypeExtent(Datatype type) {
        return guarded(() -> Datatype.required(type).getExtent());
    }

    // ---- what it is ----

    /**
     * Returns the group of the ranks that have opened the file.
     *
     * @return a new group
     */
    public Group getGroup() {
        return guarded(() -> new Group(members, engine.job.rank()));
    }

    /**
     * Returns how the file was opened.
     *
     * @return the sum of {@code MPI.MODE_*}
     */
    public int getAMode() {
        return guarded(mode::flags);
    }

    /**
     * Adds hints; collective. They are kept, and have no effect.
     *
     * @param hints the hints
     */
    public void setInfo(Info hints) {
        call(() -> {
            Info[] more = {null};
            Agreement.on(ranks, () -> more[0] = Info.copyOf(hints));
            add(more[0]);
        });
    }

    private void add(Info more) {
        for (int i = 0; i < more.size(); i++) {
            info.set(more.getKey(i), more.get(more.getKey(i)));
        }
    }

    /**
     * Returns the hints.
     *
     * @return a copy
     */
    public Info getInfo() {
        return guarded(info::dup);
    }

    // ---- consistency ----

    /**
     * Says whether accesses are atomic; collective. In atomic mode no rank sees a part of what
     * another one writes by one call; each access locks its part of the file.
     *
     * @param atomicity the same on all ranks
     * @throws MPIException ERR_NOT_SAME
     */
    public void setAtomicity(boolean atomicity) {
        call(() -> {
            Agreement.on(ranks, () -> { }, atomicity ? 1 : 0).requireSame(0, "the atomicity");
            atomic = atomicity;
        });
    }

    /**
     * Says whether accesses are atomic.
     *
     * @return what {@link #setAtomicity} was called with; false at first
     */
    public boolean getAtomicity() {
        return guarded(() -> atomic);
    }

    /** Writes what was written to the storage device; collective. */
    public void sync() {
        call(() -> Agreement.on(ranks, () -> store.force()));
    }

    // ---- errors ----

    /**
     * Says what happens when a call on this file fails.
     *
     * @param errhandler {@code MPI.ERRORS_RETURN}, the initial one: it throws; or one that aborts
     */
    public void setErrhandler(Errhandler errhandler) {
        call(() -> handler(errhandler));
    }

    /**
     * Returns what happens when a call on this file fails.
     *
     * @return the error handler
     */
    public Errhandler getErrhandler() {
        return guarded(this::handler);
    }

    /**
     * Does what the error handler does, which is nothing if it is {@code MPI.ERRORS_RETURN}.
     *
     * @param errorCode the error class
     */
    public void callErrhandler(int errorCode) {
        call(() -> {
            if (handler().aborts()) {
                throw new MPIException(errorCode, "the program has called the error handler");
            }
        });
    }
}
