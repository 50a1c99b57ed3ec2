// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests what the class MPI and communicators do in a process that has not called Init. */
class MPITest {
    @Test
    void should_have_one_communicator_of_this_process_for_both_dialects() {
        assertSame(MPI.COMM_SELF, MpiJavaFields.COMM_SELF);
        assertNotSame(MPI.COMM_SELF, MPI.COMM_WORLD);
        assertNull(MPI.COMM_NULL);
    }

    @Test
    void should_describe_pairs_by_a_struct_and_a_datatype() {
        Map<Struct, Datatype> pairs = Map.of(MPI.shortInt, MPI.SHORT_INT, MPI.int2, MPI.INT2,
                MPI.longInt, MPI.LONG_INT, MPI.floatInt, MPI.FLOAT_INT, MPI.doubleInt,
                MPI.DOUBLE_INT);
        pairs.forEach((struct, type) -> {
            assertEquals(type.getSize(), struct.getType().getSize(), type.getName());
            assertEquals(type.getExtent(), struct.getType().getExtent(), type.getName());
        });
    }

    @Test
    void should_have_objects_that_are_null() {
        assertTrue(MPI.REQUEST_NULL.isNull());
        assertTrue(MPI.INFO_NULL.isNull());
        assertTrue(MPI.GROUP_NULL.isNull());
        assertTrue(MPI.DATATYPE_NULL.isNull());
        assertTrue(MPI.COMM_WORLD.isNull());
        assertEquals(0, MPI.GROUP_EMPTY.getSize());
    }

    @Test
    void should_say_before_init_what_may_be_asked_then() {
        assertFalse(MPI.isInitialized());
        assertFalse(MPI.isFinalized());
        assertEquals(MPI.SUBVERSION, MPI.getVersion().getSubVersion());
        assertTrue(MPI.getLibVersion().contains("Hayate"));
        assertFalse(MPI.INFO_ENV.get("host").isEmpty());
        assertFalse(MPI.INFO_ENV.get("command").isEmpty());
        assertEquals(System.getProperty("user.dir"), MPI.INFO_ENV.get("wdir"));
    }

    @Test
    void should_refuse_everything_else_before_init() {
        Intracomm world = MPI.COMM_WORLD;
        List<Executable> calls = List.of(MPI::Finalize, MPI::queryThread, MPI::isThreadMain,
                MPI::getProcessorName, MPI::detachBuffer, () -> MPI.attachBuffer(new byte[1]),
                () -> MPI.pControl(0, null), MPI::Errorhandler_get, world::getRank, world::getSize,
                world::getGroup, world::isInter, world::getTopology, world::getName, world::getInfo,
                world::dup, world::free, world::disconnect, () -> world.split(0, 0),
                () -> world.abort(1), () -> world.getAttr(MPI.TAG_UB),
                () -> world.createIntercomm(world, 0, 0, 0), Intercomm::getParent);
        calls.forEach(call -> Refused.with(MPI.ERR_OTHER, call));
    }

    @Test
    void should_refuse_levels_of_threads_that_do_not_exist() {
        Refused.with(MPI.ERR_ARG, () -> MPI.InitThread(null, 4));
        Refused.with(MPI.ERR_ARG, () -> MPI.initThread(-1, 0, null));
        assertFalse(MPI.isInitialized());
    }

    @Test
    void should_drop_the_arguments_of_mpj_express_if_there_are_any() {
        String[] args = {"0", "4", "hayate", "-x"};
        assertSame(args, MpjArguments.drop(args));
        System.setProperty(MpjArguments.ADDED, "true");
        try {
            assertArrayEquals(new String[] {"-x"}, MpjArguments.drop(args));
            assertNull(MpjArguments.drop(null));
            assertEquals(2, MpjArguments.drop(new String[2]).length);
        } finally {
            System.clearProperty(MpjArguments.ADDED);
        }
    }

    @Test
    void should_say_that_processes_cannot_be_added() {
        Intracomm world = MPI.COMM_WORLD;
        List<Executable> calls = List.of(Intracomm::openPort, () -> Intracomm.closePort(""),
                () -> Intracomm.lookupName(""), () -> Intracomm.publishName("", ""),
                () -> Intracomm.unpublishName("", ""), () -> world.accept("", 0),
                () -> world.connect("", null, 0), () -> world.spawn("", null, 1, null, 0, null));
        calls.forEach(call -> Refused.with(MPI.ERR_UNSUPPORTED_OPERATION, call));
    }

    @Test
    void should_have_no_topology_in_other_communicators() {
        assertEquals(Constants.UNDEFINED, MPI.COMM_WORLD.topology());
        Refused.with(MPI.ERR_TOPOLOGY, MPI.COMM_WORLD::sources);
        assertEquals(Constants.CART,
                new CartComm(new CartGrid(new int[] {1}, new boolean[1])).topology());
    }
}
