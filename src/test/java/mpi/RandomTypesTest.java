// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random datatypes against the definitions of the standard. */
class RandomTypesTest {
    private static final int SEEDS = 3000;
    private static final List<Datatype> BASIC = List.of(Types.BYTE, Types.CHAR, Types.SHORT,
            Types.INT, Types.LONG, Types.FLOAT, Types.DOUBLE, Types.SHORT_INT, Types.LONG_INT,
            Types.DOUBLE_INT, Types.FLOAT_COMPLEX, Types.INT2);

    private static ReferenceMap random(Random random) {
        ReferenceMap map = ReferenceMap.of(BASIC.get(random.nextInt(BASIC.size())));
        for (int depth = random.nextInt(4); depth > 0; depth--) {
            map = ReferenceMap.derived(map, random);
        }
        return map;
    }

    private static ReferenceMap ofSeed(int seed) {
        Random random = new Random(seed);
        ReferenceMap map = random(random);
        return random.nextBoolean() ? map
                : ReferenceMap.derived(ReferenceMap.struct(map, random(random), random), random);
    }

    /** The places that a type map visits. */
    private static long[] visited(Datatype type, long base, int count) {
        long[] places = new long[(int) (count * type.bytes)];
        int[] next = {0};
        type.map().visit(base, count, (offset, block, blocks, stride) -> {
            for (long i = 0; i < blocks; i++) {
                for (long j = 0; j < block; j++) {
                    places[next[0]++] = offset + i * stride + j;
                }
            }
        });
        assertEquals(places.length, next[0]);
        return places;
    }

    @Test
    void should_have_the_places_and_bounds_of_the_definition() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            TypeMap map = reference.type.map();
            String text = "seed " + seed;
            long[] one = reference.places(1);
            assertEquals(reference.lb, map.lb, text);
            assertEquals(reference.ub, map.ub, text);
            assertEquals(one.length, map.size, text);
            assertEquals(Arrays.stream(one).min().orElse(0), map.trueLb, text);
            assertEquals(Arrays.stream(one).max().orElse(-1) + 1, map.trueUb, text);
            assertArrayEquals(one, visited(reference.type, 0, 1), text);
            assertArrayEquals(reference.places(3), visited(reference.type, 0, 3), text);
        }
    }

    @Test
    void should_be_contiguous_when_all_places_follow_each_other() {
        int contiguous = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            long[] places = reference.places(2);
            boolean expected = Arrays.equals(places,
                    LongStream.range(0, places.length).toArray());
            assertEquals(expected, reference.type.map().isContiguous(), "seed " + seed);
            contiguous += expected ? 1 : 0;
        }
        assertTrue(contiguous > SEEDS / 20, contiguous + " contiguous types");
    }

    @Test
    void should_have_a_granularity_that_divides_all_places() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Datatype type = ofSeed(seed).type;
            int granularity = type.map().granularity(3);
            type.map().visit(0, 3, (offset, block, blocks, stride) ->
                    assertEquals(0, (offset | block | (blocks > 1 ? stride : 0)) % granularity));
        }
    }

    @Test
    void should_count_the_elements_of_any_number_of_bytes() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ReferenceMap reference = ofSeed(seed);
            List<ReferenceMap.Entry> entries = reference.entries;
            long bytes = 0;
            for (int elements = 0; !entries.isEmpty() && elements < 30; elements++) {
                String text = "seed " + seed + ", " + elements + " elements";
                assertEquals(elements, Counting.elements(bytes, reference.type), text);
                assertEquals(bytes, Counting.bytes(elements, reference.type), text);
                int next = entries.get(elements % entries.size()).bytes();
                for (int part = 1; part < next; part++) {
                    assertEquals(Counting.UNDEFINED,
                            Counting.elements(bytes + part, reference.type), text);
                }
                bytes += next;
            }
        }
    }

    @Test
    void should_accept_buffers_exactly_if_all_places_are_inside() {
        int accepted = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            ReferenceMap reference = ofSeed(seed);
            reference.type.commit();
            int count = random.nextInt(4);
            ByteBuffer memory = ByteBuffer.allocate(random.nextInt(150));
            int offset = random.nextInt(20);
            boolean inside = Arrays.stream(reference.places(count))
                    .allMatch(p -> p + offset >= 0 && p + offset < memory.capacity());
            accepted += inside ? 1 : 0;
            if (inside) {
                Layout.check(memory, offset, count, reference.type);
            } else {
                failsWith(ErrorClass.BUFFER, "do not fit",
                        () -> Layout.check(memory, offset, count, reference.type));
            }
        }
        assertTrue(accepted > SEEDS / 4 && accepted < SEEDS * 9 / 10, accepted + " accepted");
    }

    @Test
    void should_pack_and_unpack_the_bytes_of_the_definition() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            ReferenceMap reference = ofSeed(seed);
            reference.type.commit();
            int count = 1 + random.nextInt(3);
            long[] places = reference.places(count);
            int base = (int) -Math.min(0, Arrays.stream(places).min().orElse(0));
            int length = (int) Math.max(0, Arrays.stream(places).max().orElse(0)) + base + 1;
            boolean direct = random.nextBoolean();
            ByteBuffer memory = direct ? ByteBuffer.allocateDirect(length)
                    : ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                memory.put(i, (byte) random.nextInt());
            }
            Layout.check(memory, base, count, reference.type);
            ByteBuffer packed = ByteBuffer.allocate(places.length + 5);
            packed.position(3);
            Packing.pack(memory, base, count, reference.type, packed);
            assertEquals(places.length + 3, packed.position(), "seed " + seed);
            for (int i = 0; i < places.length; i++) {
                assertEquals(memory.get((int) places[i] + base), packed.get(i + 3));
            }
            unpackSome(random, reference.type, base, count, length, packed.position(3), places);
        }
    }

    /** Unpacks the first bytes, and compares with storing them one by one. */
    private static void unpackSome(Random random, Datatype type, int base, int count, int length,
            ByteBuffer packed, long[] places) {
        int bytes = random.nextInt(places.length + 1);
        byte[] expected = new byte[length];
        for (int i = 0; i < bytes; i++) {
            expected[(int) places[i] + base] = packed.get(packed.position() + i);
        }
        byte[] actual = new byte[length];
        packed.limit(packed.position() + bytes);
        Packing.unpack(packed, ByteBuffer.wrap(actual), base, count, type);
        assertEquals(0, packed.remaining());
        assertArrayEquals(expected, actual);
    }
}
