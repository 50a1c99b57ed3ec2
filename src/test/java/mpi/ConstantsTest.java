// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests numbers that class files contain, or that must differ from each other. */
class ConstantsTest {
    @Test
    void should_have_the_numbers_of_comparisons_that_class_files_contain() {
        assertEquals(0, Constants.IDENT);
        assertEquals(1, Constants.SIMILAR);
        assertEquals(2, Constants.UNEQUAL);
        assertEquals(3, Constants.CONGRUENT);
    }

    @Test
    void should_have_the_error_classes_of_open_mpi() {
        assertEquals(0, ErrorConstants.SUCCESS);
        assertEquals(1, ErrorConstants.ERR_BUFFER);
        assertEquals(6, ErrorConstants.ERR_RANK);
        assertEquals(13, ErrorConstants.ERR_ARG);
        assertEquals(16, ErrorConstants.ERR_OTHER);
        assertEquals(30, ErrorConstants.ERR_FILE);
        assertEquals(53, ErrorConstants.ERR_WIN);
        assertEquals(74, ErrorConstants.ERR_PROC_ABORTED);
        assertEquals(75, ErrorConstants.ERR_PROC_FAILED);
        assertEquals(92, ErrorConstants.ERR_LASTCODE);
    }

    @Test
    void should_never_take_a_special_rank_for_another() {
        assertEquals(-1, Constants.ANY_SOURCE);
        assertEquals(-2, Constants.PROC_NULL);
        assertEquals(4, Set.of(Constants.ANY_SOURCE, Constants.PROC_NULL, Constants.ROOT,
                Constants.UNDEFINED).size());
    }

    @Test
    void should_have_modes_that_can_be_added() {
        int[] file = {Constants.MODE_CREATE, Constants.MODE_RDONLY, Constants.MODE_WRONLY,
            Constants.MODE_RDWR, Constants.MODE_DELETE_ON_CLOSE, Constants.MODE_UNIQUE_OPEN,
            Constants.MODE_EXCL, Constants.MODE_APPEND, Constants.MODE_SEQUENTIAL};
        int[] window = {Constants.MODE_NOCHECK, Constants.MODE_NOPRECEDE, Constants.MODE_NOPUT,
            Constants.MODE_NOSTORE, Constants.MODE_NOSUCCEED};
        for (int[] modes : new int[][] {file, window}) {
            int sum = 0;
            for (int mode : modes) {
                assertEquals(1, Integer.bitCount(mode));
                assertEquals(0, sum & mode);
                sum |= mode;
            }
        }
    }

    @Test
    void should_order_threads() {
        assertTrue(Constants.THREAD_SINGLE < Constants.THREAD_FUNNELED);
        assertTrue(Constants.THREAD_FUNNELED < Constants.THREAD_SERIALIZED);
        assertTrue(Constants.THREAD_SERIALIZED < Constants.THREAD_MULTIPLE);
    }

    @Test
    void should_give_keys_of_attributes_that_programs_do_not_get() {
        Set<Integer> keys = new TreeSet<>(Set.of(Constants.TAG_UB, Constants.HOST, Constants.IO,
                Constants.WTIME_IS_GLOBAL, Constants.APPNUM, Constants.LASTUSEDCODE,
                Constants.UNIVERSE_SIZE, Constants.WIN_BASE, Constants.WIN_SIZE,
                Constants.WIN_DISP_UNIT));
        assertEquals(10, keys.size());
        assertTrue(keys.stream().allMatch(key -> key >= 0 && key < Attributes.FIRST_KEY));
    }

    @Test
    void should_say_which_handlers_abort() {
        assertFalse(Errhandler.RETURN.aborts());
        assertTrue(Errhandler.ARE_FATAL.aborts());
        assertTrue(Errhandler.ABORT.aborts());
        assertEquals("ERRORS_RETURN", Errhandler.RETURN.toString());
    }

    @Test
    void should_have_the_version_of_the_standard() {
        Version version = new Version(Constants.VERSION, Constants.SUBVERSION);
        assertEquals(3, version.getVersion());
        assertEquals(1, version.getSubVersion());
    }
}
