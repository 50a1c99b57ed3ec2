// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/**
 * The last rank dies while the others are in a call that needs it. Each of them says
 * {@code TOLD rank milliseconds}.
 */
final class VictimProgram {
    private static final int LONG = 1 << 22;
    private static Win window;

    private VictimProgram() {
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.Init(args);
        int victim = MPI.COMM_WORLD.getSize() - 1;
        if (args[0].startsWith("win ")) {
            window = new Win(MPI.newByteBuffer(8), 8, 8, MPI.INFO_NULL, MPI.COMM_WORLD);
        }
        if (MPI.COMM_WORLD.getRank() == victim) {
            if (args[0].startsWith("win lock")) {
                window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            }
            MPI.COMM_WORLD.barrier();
            Thread.sleep(300); // so that the others are inside; if not, it is no less correct
            Runtime.getRuntime().halt(3);
        }
        MPI.COMM_WORLD.barrier();
        long start = System.nanoTime();
        try {
            call(args[0], victim);
            System.out.println("NOTHING");
        } catch (MPIException failure) {
            long told = (System.nanoTime() - start) / 1_000_000 - 300;
            if (failure.getErrorClass() != ErrorClass.PROC_FAILED) {
                throw failure;
            }
            System.out.println("TOLD " + MPI.COMM_WORLD.getRank() + " " + told);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0); // the world is broken: no Finalize
    }

    private static void call(String what, int victim) {
        Comm world = MPI.COMM_WORLD;
        ByteBuffer memory = ByteBuffer.allocateDirect(LONG);
        switch (what) {
            case "recv" -> world.recv(memory, 8, Types.BYTE, victim, 0);
            case "any" -> world.recv(memory, 8, Types.BYTE, Constants.ANY_SOURCE, 0);
            case "long send" -> world.send(memory, LONG, Types.BYTE, victim, 0);
            case "sSend" -> world.sSend(memory, 8, Types.BYTE, victim, 0);
            case "sends" -> {
                while (true) {
                    world.send(memory, 2000, Types.BYTE, victim, 0);
                }
            }
            case "wait" -> world.iRecv(memory, 8, Types.BYTE, victim, 0).waitFor();
            case "waitAll" -> Request.waitAll(new Request[] {
                world.iRecv(memory, 8, Types.BYTE, victim, 0),
                world.iSend(memory, LONG, Types.BYTE, victim, 0)});
            case "waitAny" -> Request.waitAny(new Request[] {
                world.iRecv(memory, 8, Types.BYTE, victim, 0)});
            case "probe" -> world.probe(victim, 0);
            case "objects" -> world.recv(new Object[1], 1, Types.OBJECT, victim, 0);
            case "file" -> new File(world,
                    System.getProperty("java.home") + "/release", Constants.MODE_RDONLY);
            case "barrier" -> world.barrier();
            default -> callOfWindow(what, victim);
        }
    }

    private static void callOfWindow(String what, int victim) {
        Group group = window.getGroup().incl(new int[] {victim});
        switch (what) {
            case "win lock" -> window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            case "win lock shared" -> window.lock(MPI.LOCK_SHARED, 0, 0);
            case "win lock all" -> window.lockAll(0);
            case "win start" -> window.start(group, 0);
            case "win wait" -> {
                window.post(group, 0);
                window.waitFor();
            }
            case "win flush" -> {
                ByteBuffer memory = ByteBuffer.allocateDirect(8);
                window.lock(MPI.LOCK_SHARED, victim, 0);
                while (true) {
                    window.put(memory, 1, MPI.LONG, victim, 0, 1, MPI.LONG);
                    window.flush(victim);
                }
            }
            default -> window.fence(0);
        }
    }
}
