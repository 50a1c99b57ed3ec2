// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.CollectivesProgram.check;

/** What {@link CollectivesProgram} does wrong, on all ranks alike: nothing is sent then. */
final class CollectivesErrors {
    private CollectivesErrors() {
    }

    static void run(Intracomm world) {
        int size = world.getSize();
        int[] data = new int[size];
        refused(ErrorClass.ROOT, () -> world.bcast(data, 1, Types.INT, size));
        refused(ErrorClass.ROOT, () -> world.reduce(data, 1, Types.INT, Ops.SUM, -1));
        refused(ErrorClass.COUNT, () -> world.bcast(data, -1, Types.INT, 0));
        refused(ErrorClass.TYPE, () -> world.bcast(data, 1, null, 0));
        refused(ErrorClass.BUFFER, () -> world.bcast(data, size, Types.DOUBLE, 0));
        refused(ErrorClass.BUFFER, () -> world.bcast(data, size + 1, Types.INT, 0));
        refused(ErrorClass.BUFFER, () -> world.allGather(null, 1, Types.INT, data, 1, Types.INT));
        refused(ErrorClass.BUFFER, () -> world.allGather(data, 1, Types.INT, data, 2, Types.INT));
        refused(ErrorClass.OP, () -> world.allReduce(data, 1, Types.INT, null));
        refused(ErrorClass.OP, () -> world.allReduce(data, 1, Types.INT, Ops.REPLACE));
        refused(ErrorClass.OP, () -> world.allReduce(new double[1], 1, Types.DOUBLE, Ops.BAND));
        refused(ErrorClass.OP, () -> Ops.SUM.free());
        refused(ErrorClass.ARG, () -> world.allGatherv(data, new int[size - 1], new int[size],
                Types.INT));
        refused(ErrorClass.ARG, () -> world.allToAllv(data, null, data, Types.INT, data, data,
                data, Types.INT));
        refused(ErrorClass.TOPOLOGY, () -> world.neighborAllGather(data, 1, Types.INT, data, 1,
                Types.INT));
        Op failing = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                throw new IllegalStateException("failing");
            }
        }, true);
        if (size > 1) {
            refused(ErrorClass.OTHER, () -> world.allReduce(data, 1, Types.INT, failing));
        }
    }

    private static void refused(int errorClass, Runnable call) {
        try {
            call.run();
        } catch (MPIException expected) {
            check(expected.getErrorClass() == errorClass, "error class " + errorClass
                    + " was expected, not that of " + expected);
            return;
        }
        check(false, "no exception of error class " + errorClass);
    }
}
