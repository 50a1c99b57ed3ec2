// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.Exchange;
import io.hayate.HayateException;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.natives.NativeLoader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The exchange of a job whose ranks meet at a store. It can be used for one job, by one thread at a
 * time. Whatever ends it before both rounds are complete ends the job for all who are present, and
 * they are told why.
 */
public final class StoreExchange implements Exchange, AutoCloseable {
    private static final String NOT_STARTED = "the job was not started: ";

    private final StoreAccess access;
    private final int rank;
    private final int size;
    private Hello me;
    private StoreServer server; // of rank 0
    private StoreCaller caller; // null: not connected
    private int round; // that has begun; 0: none
    private int attempts;
    private String trouble = "it has not been tried"; // why there is no connection
    private String left = "it has ended the store"; // why this rank ends the job
    private int firstMissing = -1;
    private String missing = "";

    /** Describes a rank; nothing is opened. */
    public StoreExchange(StoreAccess access, int rank, int size) {
        this.access = access;
        this.rank = rank;
        this.size = size;
    }

    /**
     * Gives a record to all ranks. The first call connects; the second one disconnects.
     *
     * @throws HayateException a LaunchException, of the same text on all ranks that are present,
     *     with who is missing or what is wrong; an ArgumentException if the record is too long
     * @throws InterruptedException if the thread is interrupted; the others are told
     */
    @Override
    public List<byte[]> allgather(byte[] record) throws InterruptedException {
        if (Errors.required(record, "the record").length > Frame.RECORD) {
            throw Errors.argument("record of " + record.length + " bytes: expected at most "
                    + Frame.RECORD);
        }
        if (round == Roll.ROUNDS || round > 0 && caller == null) {
            throw Errors.exception(Errors.STATE, "the exchange of this store is over: each job"
                    + " needs a new one", -1);
        }
        round++;
        boolean complete = false;
        try {
            List<byte[]> all = exchange(record);
            complete = true;
            return all;
        } catch (InterruptedException e) {
            leave("was interrupted while it waited for the others");
            throw e;
        } finally {
            if (!complete || round == Roll.ROUNDS) {
                close();
            }
        }
    }

    private List<byte[]> exchange(byte[] record) throws InterruptedException {
        Patience patience = new Patience(access.limit(), this::state);
        try {
            if (round == 1) {
                join(patience);
            }
            caller.send(Frame.GIVE.with(Integer.BYTES + Short.BYTES + record.length, out -> {
                out.putInt(round);
                Frame.putBytes(out, record);
            }));
            byte[] frame = caller.next();
            while (Frame.kind(frame) != Frame.ALL) {
                hear(frame);
                frame = caller.next();
            }
            return records(frame);
        } catch (SocketTimeoutException e) {
            throw late();
        } catch (IOException e) {
            throw Errors.launch("the store at " + access.address() + " was lost before all ranks"
                    + " had joined the job: rank 0 has ended, or the connection (" + e.getMessage()
                    + "); missing were ranks " + missing, 0);
        }
    }

    /** Connects until the store has answered. */
    private void join(Patience patience) throws InterruptedException, IOException {
        NativeLoader.load();
        me = new Hello(SetupBinding.version(), access.job(), rank, size, hostName(),
                ProcessHandle.current().pid());
        while (!isJoined(patience)) {
            close(caller);
            if (patience.left() <= 0) {
                throw new SocketTimeoutException();
            }
            patience.look();
            patience.pause();
        }
    }

    private boolean isJoined(Patience patience) throws InterruptedException {
        try {
            caller = StoreCaller.call(target(), access.secret(), me, patience);
            hear(caller.next());
            trouble = null;
            return true;
        } catch (UnknownHostException e) {
            trouble = "the name " + access.address().host() + " is not known";
        } catch (EOFException e) {
            trouble = "what listens there has closed the connection";
        } catch (BadFrameException e) {
            throw Errors.launch("the store at " + access.address() + " sent what no store sends ("
                    + e.getMessage() + ")", 0);
        } catch (IOException e) {
            trouble = e.getMessage();
        }
        return false;
    }

    /** Returns where to connect to; rank 0 begins to serve there. */
    private InetSocketAddress target() throws IOException {
        if (rank > 0) {
            InetSocketAddress[] all = access.address().resolve();
            return all[attempts++ % all.length];
        }
        if (server == null) {
            InetSocketAddress own = access.address().own();
            try {
                server = StoreServer.start(own, me, access.secret());
            } catch (IOException e) {
                throw Errors.launch("rank 0 cannot listen at " + access.address() + " ("
                        + e.getMessage() + "): give an address of this host, and a port that no"
                        + " other program uses", 0);
            }
        }
        if (server.failure() != null) { // before this rank was present
            throw exception(server.failure());
        }
        return server.address();
    }

    private void hear(byte[] frame) throws IOException {
        switch (Frame.kind(frame)) {
            case WAIT -> Frame.read(frame, in -> {
                in.getInt();
                firstMissing = in.getInt();
                missing = Frame.text(in, Frame.TEXT);
                return missing;
            });
            case FAIL -> throw exception(Frame.read(frame, Failure::decode));
            default -> throw new BadFrameException("a frame that only a rank sends");
        }
    }

    private static HayateException exception(Failure failure) {
        return Errors.launch(NOT_STARTED + failure.why(), failure.rank());
    }

    private List<byte[]> records(byte[] frame) throws IOException, InterruptedException {
        byte[] key = new byte[Seal.KEY];
        int length = Frame.read(frame, in -> {
            if (in.getInt() != round) {
                throw new BadFrameException("records of another round");
            }
            in.get(key);
            return in.getInt();
        });
        return Frame.records(caller.all(length, key), size);
    }

    /** The time is over: those who are present learn it from this rank. */
    private HayateException late() {
        String limit = "the time limit of " + access.limit().toSeconds() + " s is over";
        if (trouble != null) {
            return Errors.launch(limit + ": rank " + rank + " has not reached the store at "
                    + access.address() + ", where rank 0 listens: " + trouble, 0);
        }
        String who = limit + ": of " + size + " ranks, these have not "
                + (round == 1 ? "come" : "told their addresses") + ": " + missing;
        leave(who);
        return Errors.launch(NOT_STARTED + me + ": " + who, firstMissing);
    }

    /** Describes for the log what this rank waits for; null: others do. */
    private String state() {
        if (trouble != null) {
            return "rank " + rank + " has not reached the store at " + access.address() + ": "
                    + trouble;
        }
        return rank == 0 ? "the store at " + access.address() + " waits for these of " + size
                + " ranks: " + missing : null;
    }

    private void leave(String why) {
        left = why;
        if (caller != null && trouble == null) {
            try {
                caller.send(new Failure(rank, why).encode());
            } catch (IOException e) {
                // the store notices that the connection has ended
            }
        }
    }

    private static void close(StoreCaller caller) {
        if (caller != null) {
            caller.close();
        }
    }

    /** Ends the job for all who are present, unless both rounds are complete. */
    @Override
    public void close() {
        close(caller);
        caller = null;
        if (server != null) {
            server.stop(me + ": " + left);
        }
    }

    /** Asks the kernel, not the resolver, which could take long. */
    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "?";
        }
    }
}
