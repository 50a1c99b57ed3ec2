// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * A program that creates communicators in every way, on 1 to 4 ranks, and ends with exit code 0 if
 * all of them are as they have to be.
 */
public final class CommunicatorsProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static int rank;
    private static int size;

    private CommunicatorsProgram() {
    }

    /** A call that is to fail. */
    private interface Call {
        void run();
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + " of " + size + ": " + what);
        }
    }

    private static void refused(int errorClass, Call call) {
        try {
            call.run();
        } catch (MPIException expected) {
            check(expected.getErrorClass() == errorClass, "error class " + errorClass + ", not "
                    + expected.getErrorClass() + ": " + expected.getMessage());
            return;
        }
        throw new AssertionError("rank " + rank + ": nothing was refused, expected the class "
                + errorClass);
    }

    /** Begins and ends MPI, and checks everything. */
    public static void main(String[] args) {
        beforeInit();
        check(MPI.InitThread(args, MPI.THREAD_MULTIPLE) == MPI.THREAD_MULTIPLE, "level");
        rank = WORLD.getRank();
        size = WORLD.getSize();
        environment();
        predefined();
        splits();
        creations();
        groupCreations();
        duplicates();
        duplicatesInTheBackground();
        intercommunicators();
        grids();
        graphs();
        properties();
        freed();
        unsupported();
        MPI.Finalize();
        afterFinalize();
    }

    private static void beforeInit() {
        check(!MPI.isInitialized() && !MPI.Initialized() && !MPI.isFinalized(), "not initialized");
        check(MPI.getVersion().getVersion() == MPI.VERSION, "version");
        check(MPI.getLibVersion().startsWith("Hayate "), "library");
        check(WORLD.isNull(), "the world is null");
        refused(MPI.ERR_OTHER, WORLD::getRank);
        refused(MPI.ERR_OTHER, MPI::queryThread);
        refused(MPI.ERR_OTHER, MPI::Finalize);
    }

    private static void afterFinalize() {
        check(MPI.isInitialized() && MPI.isFinalized(), "finalized");
        refused(MPI.ERR_OTHER, WORLD::barrier);
        refused(MPI.ERR_OTHER, () -> WORLD.send(new int[1], 1, MPI.INT, 0, 0));
        refused(MPI.ERR_OTHER, () -> MPI.Init(new String[0]));
        refused(MPI.ERR_OTHER, MPI::Finalize);
    }

    private static void environment() {
        refused(MPI.ERR_OTHER, () -> MPI.Init(new String[0]));
        check(MPI.queryThread() == MPI.THREAD_MULTIPLE && MPI.isThreadMain(), "threads");
        check(!MPI.getProcessorName().isEmpty(), "processor");
        double before = MPI.wtime();
        check(MPI.wtime() >= before && MPI.wtick() > 0, "time");
        MPI.pControl(1, null);
        byte[] buffer = new byte[1000];
        MPI.attachBuffer(buffer);
        refused(MPI.ERR_BUFFER, () -> MPI.attachBuffer(buffer));
        check(MPI.detachBuffer() == buffer, "buffer");
        IntBuffer slice = MPI.slice(MPI.newIntBuffer(4).put(2, 7), 2);
        check(slice.get(0) == 7 && slice.capacity() == 2, "slice");
    }

    private static void predefined() {
        check(MPI.COMM_SELF.getSize() == 1 && MPI.COMM_SELF.getRank() == 0, "self");
        check(MpiJavaFields.COMM_SELF == (Comm) MPI.COMM_SELF, "two constants of one object");
        check(WORLD.getName().equals("MPI_COMM_WORLD"), "name");
        exchange(MPI.COMM_SELF, 0, 5);
        refused(MPI.ERR_COMM, WORLD::free);
        check(WORLD.getAttr(MPI.TAG_UB).equals(Integer.MAX_VALUE), "TAG_UB");
        check(WORLD.Attr_get(MPI.UNIVERSE_SIZE).equals(size), "UNIVERSE_SIZE");
        check(WORLD.getAttr(MPI.WTIME_IS_GLOBAL).equals(false), "WTIME_IS_GLOBAL");
        refused(MPI.ERR_KEYVAL, () -> WORLD.setAttr(MPI.HOST, 1));
        check(WORLD.getTopology() == MPI.UNDEFINED && !WORLD.isInter(), "world");
    }

    /** Sends a number to the next rank, and receives from the one before. */
    private static void exchange(Comm comm, int tag, int base) {
        int n = comm.getSize();
        int[] got = {-1};
        int before = (comm.getRank() + n - 1) % n;
        comm.sendRecv(new int[] {base + comm.getRank()}, 1, MPI.INT, (comm.getRank() + 1) % n, tag,
                got, 1, MPI.INT, before, tag);
        check(got[0] == base + before, "got " + got[0] + ", not " + (base + before));
    }

    private static void splits() {
        Intracomm half = WORLD.split(rank % 2, -rank);
        check(half.getSize() == (size + 1 - rank % 2) / 2, "half");
        check(half.getRank() == half.getSize() - 1 - rank / 2, "in the order of keys");
        check(half.getGroup().world(half.getRank()) == rank, "group");
        exchange(half, 3, 10);
        half.free();
        int color = rank == 0 ? MPI.UNDEFINED : 5;
        Intracomm rest = WORLD.split(color, 0);
        check(rest.isNull() == (rank == 0), "rank 0 is in none");
        check((WORLD.Split(color, 0) == null) == (rank == 0), "null in mpiJava");
        if (rank != 0) {
            check(rest.getSize() == size - 1 && rest.getRank() == rank - 1, "rest");
            exchange(rest, 0, 1);
        }
        refused(MPI.ERR_ARG, () -> WORLD.split(-3, 0));
        Intracomm node = WORLD.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL);
        check(node.getSize() >= 1 && node.getSize() <= size, "node");
        check(WORLD.splitType(MPI.UNDEFINED, 0, MPI.INFO_NULL).isNull(), "of no type");
        refused(MPI.ERR_ARG, () -> WORLD.splitType(77, 0, MPI.INFO_NULL));
        node.disconnect();
        check(node.isNull(), "disconnected");
    }

    private static void creations() {
        Group first = WORLD.getGroup().incl(new int[] {0});
        Intracomm one = WORLD.create(first);
        check(one.isNull() == (rank != 0), "only rank 0");
        check((WORLD.Create(first) == null) == (rank != 0), "null in mpiJava");
        Group reversed = WORLD.getGroup().rangeIncl(new int[][] {{size - 1, 0, -1}});
        Intracomm back = WORLD.create(reversed);
        check(back.getRank() == size - 1 - rank, "reversed");
        check(Comm.compare(back, WORLD) == (size == 1 ? MPI.CONGRUENT : MPI.SIMILAR), "similar");
        exchange(back, 9, 100);
        Intracomm own = WORLD.create(WORLD.getGroup().incl(new int[] {rank}));
        check(own.getSize() == 1, "different groups");
        check(WORLD.create(MPI.GROUP_EMPTY).isNull(), "of nobody");
        refused(MPI.ERR_GROUP, () -> WORLD.create(null));
        if (size > 1) {
            refused(MPI.ERR_GROUP, () -> own.create(WORLD.getGroup()));
            if (rank == 0) { // which wants all; the others do not
                refused(MPI.ERR_ARG, () -> WORLD.create(WORLD.getGroup()));
            } else {
                Group others = WORLD.getGroup().excl(new int[] {0});
                check(WORLD.create(others).getSize() == size - 1, "the others agree");
            }
        }
    }

    private static void groupCreations() {
        Group all = WORLD.getGroup();
        for (int round = 0; round < 3; round++) {
            if (rank > 0) {
                Intracomm part = WORLD.createGroup(all.excl(new int[] {0}), round);
                check(part.getSize() == size - 1 && part.getRank() == rank - 1, "part");
                exchange(part, 0, 20);
                check(part.split(0, -rank).getRank() == size - 1 - rank, "a part of the part");
                part.free();
            }
        }
        check(WORLD.createGroup(all.incl(new int[] {0}), 0).isNull() == (rank != 0), "outside");
        Intracomm back = WORLD.createGroup(all.rangeIncl(new int[][] {{size - 1, 0, -1}}), 4);
        check(back.getRank() == size - 1 - rank, "reversed");
        back.barrier();
        exchange(back, 1, 30);
        if (size > 1) {
            Group mine = rank == 0 ? all : all.rangeIncl(new int[][] {{size - 1, 0, -1}});
            refused(MPI.ERR_GROUP, () -> WORLD.createGroup(mine, 5));
        }
        if (size > 2) {
            Group mine = rank == 1 ? all.incl(new int[] {0, 1}) : all;
            refused(MPI.ERR_GROUP, () -> WORLD.createGroup(mine, 6));
        }
    }

    private static void duplicates() {
        Intracomm one = WORLD.dup();
        Intracomm other = WORLD.dupWithInfo(new Info());
        check(Comm.compare(one, WORLD) == MPI.CONGRUENT, "congruent");
        check(Comm.compare(one, one) == MPI.IDENT, "the same");
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        int[] got = {-1, -1, -1};
        Request[] sent = {one.Isend(new int[] {1}, 0, 1, MPI.INT, next, 7),
            other.Isend(new int[] {2}, 0, 1, MPI.INT, next, 7),
            WORLD.Isend(new int[] {3}, 0, 1, MPI.INT, next, 7)};
        WORLD.Recv(got, 2, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        other.Recv(got, 1, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        check(one.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG).source == before, "source");
        Request.waitAll(sent);
        check(Arrays.equals(got, new int[] {1, 2, 3}), "apart: " + Arrays.toString(got));
        Comm third = one.clone();
        exchange(third, 7, 40);
        for (Comm comm : new Comm[] {one, other, third}) {
            comm.free();
        }
    }

    /** Rank 0 begins, and the others begin only when it says so: nobody waits in the call. */
    private static void duplicatesInTheBackground() {
        int key = Comm.createKeyval();
        WORLD.setAttr(key, "attached");
        int[] word = {0};
        if (rank > 0) {
            WORLD.recv(word, 1, MPI.INT, 0, 5);
        }
        Intracomm[] copies = {WORLD.iDup(), WORLD.iDup(), MPI.COMM_SELF.iDup()};
        for (int i = 1; rank == 0 && i < size; i++) {
            WORLD.send(word, 1, MPI.INT, i, 5);
        }
        WORLD.barrier();
        Request.waitAll(new Request[] {copies[1].getRequest(), copies[0].getRequest(),
            copies[2].getRequest()});
        exchange(copies[0], 1, 80);
        exchange(copies[1], 1, 90);
        check("attached".equals(copies[0].getAttr(key)), "attribute of a copy");
        check(copies[2].getSize() == 1, "of this process alone");
        check(copies[0].getRequest().test(), "still complete");
        copies[1].free();
        WORLD.deleteAttr(key);
    }

    private static void intercommunicators() {
        refused(MPI.ERR_COMM, () -> WORLD.createIntercomm(null, 0, 0, 0));
        refused(MPI.ERR_RANK, () -> WORLD.createIntercomm(MPI.COMM_SELF, 1, 0, 0));
        check(Intercomm.getParent().isNull(), "no parent");
        if (size == 1) {
            return;
        }
        boolean low = rank < size / 2;
        Intracomm half = WORLD.split(low ? 0 : 1, 0);
        Intercomm inter = WORLD.createIntercomm(half, half.getSize() - 1, low ? size - 1
                : size / 2 - 1, 8);
        checkIntercomm(inter, half, low);
        takesWhileItWaits(inter, half, low);
        checkIntercomm(inter.dup(), half, low);
        Intercomm later = inter.iDup();
        later.getRequest().waitFor();
        checkIntercomm(later, half, low);
        check(Comm.compare(inter, inter.clone()) == MPI.CONGRUENT, "congruent");
        check(Comm.compare(inter, half) == MPI.UNEQUAL, "other kinds");
        check(inter.merge(!low).getRank() == rank, "low first");
        int lows = size / 2;
        Intracomm turned = inter.Merge(low);
        check(turned.getRank() == (low ? rank + size - lows : rank - lows), "high first");
        check(Comm.compare(turned, WORLD) == MPI.SIMILAR, "all");
        check(inter.merge(true).getRank() == rank, "both high");
        exchange(turned, 2, 50);
        inter.disconnect();
        refused(MPI.ERR_COMM, inter::getRemoteSize);
        if (size > 2) {
            pipeline();
        }
        refused(MPI.ERR_COMM, () -> WORLD.createIntercomm(WORLD, 0, 0, 1));
        refused(half.getRank() == 0 ? MPI.ERR_RANK : MPI.ERR_OTHER,
                () -> WORLD.createIntercomm(half, 0, size, 1));
    }

    private static void checkIntercomm(Intercomm inter, Intracomm half, boolean low) {
        int others = size - half.getSize();
        check(inter.isInter() && inter.Test_inter() && !inter.isNull(), "inter");
        check(inter.getRank() == half.getRank() && inter.getSize() == half.getSize(), "own group");
        check(inter.getRemoteSize() == others && inter.Remote_size() == others, "other group");
        check(inter.getRemoteGroup().world(0) == (low ? size / 2 : 0), "remote group");
        check(inter.getRemoteGroup().getRank() == MPI.UNDEFINED, "not in the other group");
        int[] sums = new int[others];
        Request[] requests = new Request[2 * others];
        for (int i = 0; i < others; i++) {
            requests[i] = inter.Irecv(sums, i, 1, MPI.INT, i, 4);
            requests[others + i] = inter.Isend(new int[] {rank}, 0, 1, MPI.INT, i, 4);
        }
        Request.waitAll(requests);
        for (int i = 0; i < others; i++) {
            check(sums[i] == inter.getRemoteGroup().world(i), "from rank " + i + ": " + sums[i]);
        }
        int[] far = new int[100_000];
        far[far.length - 1] = rank;
        Request large = inter.Isend(far, 0, far.length, MPI.INT, 0, 5);
        if (half.getRank() == 0) {
            int[] room = new int[far.length];
            for (int i = 0; i < others; i++) {
                Status status = inter.recv(room, room.length, MPI.INT, MPI.ANY_SOURCE, 5);
                check(room[room.length - 1] == inter.getRemoteGroup().world(status.source),
                        "the source is a rank of the other group");
            }
        }
        large.waitFor();
        refused(MPI.ERR_RANK, () -> inter.send(sums, 0, MPI.INT, others, 0));
    }

    /** The message that a rank waits for comes after another's long one, which it must take. */
    private static void takesWhileItWaits(Intercomm inter, Intracomm half, boolean low) {
        for (boolean toLow : new boolean[] {true, false}) {
            boolean receives = low == toLow;
            if ((receives ? inter.getRemoteSize() : half.getSize()) < 2) {
                continue;
            }
            int[] data = new int[100_000];
            if (receives && half.getRank() == 0) {
                Request other = inter.Irecv(data, 0, data.length, MPI.INT, 1, 6);
                inter.Irecv(new int[1], 0, 1, MPI.INT, 0, 7).waitFor();
                other.waitFor();
            } else if (!receives && half.getRank() == 1) {
                inter.send(data, data.length, MPI.INT, 0, 6);
                half.send(data, 1, MPI.INT, 0, 6);
            } else if (!receives && half.getRank() == 0) {
                half.recv(data, 1, MPI.INT, 1, 6);
                inter.send(data, 1, MPI.INT, 0, 7);
            }
        }
    }

    /** Each rank but the last has an intercommunicator with the next one. */
    private static void pipeline() {
        Intercomm up = rank == 0 ? null : WORLD.createIntercomm(MPI.COMM_SELF, 0, rank - 1, 12);
        Intercomm down = rank == size - 1 ? null
                : WORLD.createIntercomm(MPI.COMM_SELF, 0, rank + 1, 12);
        int[] hops = {0};
        if (up != null) {
            up.recv(hops, 1, MPI.INT, 0, 0);
        }
        check(hops[0] == rank, "hops");
        hops[0]++;
        if (down != null) {
            down.send(hops, 1, MPI.INT, 0, 0);
        }
    }

    private static void grids() {
        int[] dims = {0, 0};
        CartComm.createDims(size, dims);
        CartComm grid = WORLD.createCart(dims, new boolean[] {false, true}, true);
        int[] coords = grid.getCoords(grid.getRank());
        check(grid.getTopology() == MPI.CART && grid.getRank(coords) == rank, "grid");
        check(Arrays.equals(grid.getTopo().coords, coords), "coordinates");
        ShiftParms shift = grid.shift(0, 1);
        check((shift.getRankSource() == MPI.PROC_NULL) == (coords[0] == 0), "an end");
        int[] got = {-1};
        Status status = grid.sendRecv(new int[] {rank}, 1, MPI.INT, shift.getRankDest(), 0, got, 1,
                MPI.INT, shift.getRankSource(), 0);
        boolean nobody = coords[0] == 0;
        check(got[0] == (nobody ? -1 : shift.getRankSource()), "shifted");
        check(status.getSource() == shift.getRankSource(), "source");
        CartComm row = grid.sub(new boolean[] {false, true});
        check(row.getSize() == dims[1] && row.getRank() == coords[1], "row");
        check(row.getTopo().getDimCount() == 1 && row.getTopo().getPeriod(0), "row's topology");
        exchange(row, 0, 60);
        CartComm copy = grid.dup();
        check(copy.getCoords(rank)[1] == coords[1], "copy");
        check(grid.map(new int[] {1}, new boolean[1]) == (rank == 0 ? 0 : MPI.UNDEFINED), "map");
        Cartcomm line = WORLD.Create_cart(new int[] {1}, new boolean[1], false);
        check((line == null) == (rank != 0), "null outside");
        check(line == null || line.Coords(0)[0] == 0 && line.Topo_test() == MPI.CART, "line");
        check(WORLD.createCart(new int[] {1}, new boolean[1], false).isNull() == (rank != 0),
                "outside");
        refused(MPI.ERR_ARG,
                () -> WORLD.createCart(new int[] {size + 1}, new boolean[1], false));
        refused(MPI.ERR_DIMS, () -> grid.shift(2, 1));
        refused(MPI.ERR_TOPOLOGY, WORLD::sources);
    }

    private static void graphs() {
        int[] index = new int[size];
        int[] edges = new int[size];
        for (int i = 0; i < size; i++) {
            index[i] = i + 1;
            edges[i] = (i + 1) % size;
        }
        GraphComm ring = WORLD.createGraph(index, edges, false);
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        check(ring.getTopology() == MPI.GRAPH, "graph");
        check(Arrays.equals(ring.getNeighbors(rank), new int[] {next}), "neighbours");
        check(ring.getDims().getEdgeCount() == size, "edges");
        exchange(ring, 0, 70);
        Graphcomm same = WORLD.Create_graph(index, edges, false);
        check(Arrays.equals(same.Neighbours(0), new int[] {edges[0]}), "mpiJava");
        refused(MPI.ERR_TOPOLOGY, ring::getDistGraphNeighbors);
        int[] all = new int[size];
        Arrays.setAll(all, i -> i);
        GraphComm star = rank > 0 ? WORLD.createDistGraph(new int[0], new int[0], new int[0],
                new int[0], MPI.INFO_NULL, false)
                : WORLD.createDistGraph(new int[] {0}, new int[] {size}, all, all, MPI.INFO_NULL,
                        false);
        DistGraphNeighbors around = star.getDistGraphNeighbors();
        check(around.getOutDegree() == (rank == 0 ? size : 0), "out");
        check(around.getInDegree() == 1 && around.getSource(0) == 0, "in");
        check(around.isWeighted() && around.getSourceWeight(0) == rank, "weight");
        GraphComm own = WORLD.createDistGraphAdjacent(new int[] {before}, new int[] {next},
                MPI.INFO_NULL, false);
        check(own.getTopology() == MPI.DIST_GRAPH && own.dup().destinations()[0] == next, "own");
        refused(MPI.ERR_TOPOLOGY, own::getDims);
    }

    private static void properties() {
        int key = Comm.createKeyval();
        Intracomm comm = WORLD.dup();
        comm.setAttr(key, "attached");
        comm.setName("named");
        Info info = new Info();
        info.set("hint", "kept");
        comm.setInfo(info);
        comm.setErrhandler(MPI.ERRORS_RETURN);
        Intracomm copy = comm.dup();
        check("attached".equals(copy.getAttr(key)), "attribute of a copy");
        check("kept".equals(copy.getInfo().get("hint")), "hint of a copy");
        check(comm.getName().equals("named") && copy.getName().isEmpty(), "names");
        copy.Attr_delete(key);
        check(copy.getAttr(key) == null && comm.getAttr(key) != null, "deleted in the copy");
        check(copy.getErrhandler() == MPI.ERRORS_RETURN, "handler");
        copy.callErrhandler(MPI.ERR_ARG);
        refused(MPI.ERR_ARG, () -> WORLD.callErrhandler(MPI.ERR_ARG));
        Comm.freeKeyval(key);
        check("attached".equals(comm.getAttr(key)), "attached under a key that was freed");
        refused(MPI.ERR_KEYVAL, () -> copy.getAttr(key));
        refused(MPI.ERR_KEYVAL, () -> comm.setAttr(key, "again"));
        byte[] packed = new byte[comm.packSize(3, MPI.INT)];
        int end = comm.pack(new int[] {1, 2, 3}, 3, MPI.INT, packed, 0);
        int[] unpacked = new int[2];
        check(end == 12 && comm.unpack(packed, 4, unpacked, 2, MPI.INT) == 12, "positions");
        check(unpacked[0] == 2 && unpacked[1] == 3, "unpacked");
        refused(MPI.ERR_TRUNCATE, () -> comm.unpack(packed, 8, unpacked, 2, MPI.INT));
        refused(MPI.ERR_TRUNCATE, () -> comm.pack(unpacked, 2, MPI.INT, packed, 8));
    }

    private static void freed() {
        Intracomm comm = WORLD.dup();
        Request receive = comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, rank, 0);
        comm.send(new int[] {rank}, 1, MPI.INT, rank, 0);
        comm.free();
        receive.waitFor();
        check(comm.isNull(), "null");
        refused(MPI.ERR_COMM, () -> comm.send(new int[1], 1, MPI.INT, 0, 0));
        refused(MPI.ERR_COMM, () -> comm.recv(new int[1], 1, MPI.INT, 0, 0));
        refused(MPI.ERR_COMM, comm::free);
        refused(MPI.ERR_COMM, comm::dup);
        refused(MPI.ERR_COMM, comm::getRank);
        refused(MPI.ERR_COMM, () -> Comm.compare(comm, WORLD));
        refused(MPI.ERR_COMM, () -> Comm.compare(null, WORLD));
    }

    private static void unsupported() {
        int unsupported = MPI.ERR_UNSUPPORTED_OPERATION;
        refused(unsupported, Intracomm::openPort);
        refused(unsupported, () -> WORLD.accept("port", 0));
        refused(unsupported, () -> WORLD.spawn("program", null, 1, MPI.INFO_NULL, 0, null));
    }
}
