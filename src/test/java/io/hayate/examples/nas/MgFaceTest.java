// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class MgFaceTest {
    private static final MgBox BOX = new MgBox(3, 4, 5);

    /** From the upper own plane to the lower ghosts, over the ghosts of axes before `wide`. */
    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,2", "0,3", "1,3", "2,3"})
    void should_move_a_plane_and_nothing_else(int axis, int wide) {
        MgFace face = new MgFace(BOX, axis, wide);
        double[] expected = numbered();
        int count = 0;
        for (int k = 0; k < BOX.z() + 2; k++) {
            for (int j = 0; j < BOX.y() + 2; j++) {
                for (int i = 0; i < BOX.x() + 2; i++) {
                    int[] place = {i, j, k};
                    if (place[axis] == 0 && isIn(place, axis, wide)) {
                        int at = BOX.row(j, k) + i;
                        expected[at] = at + BOX.own(axis) * BOX.pitch(axis);
                        count++;
                    }
                }
            }
        }
        assertEquals(count, face.count());
        assertArrayEquals(expected, copied(face, BOX.own(axis)));
        assertArrayEquals(expected, sent(face, BOX.own(axis)));
    }

    private static boolean isIn(int[] place, int axis, int wide) {
        for (int each = 0; each < place.length; each++) {
            boolean ghost = place[each] == 0 || place[each] == BOX.own(each) + 1;
            if (each != axis && each >= wide && ghost) {
                return false;
            }
        }
        return true;
    }

    private static double[] copied(MgFace face, int from) {
        double[] field = numbered();
        face.copy(field, from, 0);
        return field;
    }

    private static double[] sent(MgFace face, int from) {
        double[] field = numbered();
        DoubleBuffer message = DoubleBuffer.allocate(face.count());
        face.pack(field, from, message);
        face.unpack(message, field, 0);
        return field;
    }

    private static double[] numbered() {
        double[] field = new double[BOX.length()];
        for (int i = 0; i < field.length; i++) {
            field[i] = i;
        }
        return field;
    }
}
