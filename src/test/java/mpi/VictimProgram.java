// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/**
 * The last rank dies while the others are in a call that needs it. Each of them says
 * {@code TOLD rank milliseconds}.
 */
final class VictimProgram {
    private static final int LONG = 1 << 22;

    private VictimProgram() {
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.Init(args);
        int victim = MPI.COMM_WORLD.getSize() - 1;
        if (MPI.COMM_WORLD.getRank() == victim) {
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
            case "file" -> new File(world, "/dev/null", Constants.MODE_RDONLY);
            default -> world.barrier();
        }
    }
}
