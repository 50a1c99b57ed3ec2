// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Copies blocks between two memories, by elements of one kind. Indices, steps and lengths are in
 * elements. Loops are over single elements in equal distances, which compilers turn into few
 * instructions; long blocks are copied as a whole.
 */
abstract class Mover {
    /** Blocks of fewer elements are copied one by one. */
    private static final int BULK = 8;
    /** Blocks that are in the cache together. */
    private static final int CHUNK = 64;

    /** Copies elements that follow each other. */
    abstract void copy(int from, int to, int length);

    /** Copies single elements in equal distances. */
    abstract void strided(int from, int fromStep, int to, int toStep, int count);

    /** Copies blocks. */
    final void move(int from, int fromStep, int to, int toStep, int count, int block) {
        if (block == 1) {
            strided(from, fromStep, to, toStep, count);
        } else if (block < BULK && count > block) {
            for (int i = 0; i < count; i += CHUNK) {
                for (int j = 0; j < block; j++) {
                    strided(from + i * fromStep + j, fromStep, to + i * toStep + j, toStep,
                            Math.min(CHUNK, count - i));
                }
            }
        } else {
            for (int i = 0; i < count; i++) {
                copy(from + i * fromStep, to + i * toStep, block);
            }
        }
    }

    /** Returns what copies between buffers of a kind, which must have the same byte order. */
    static Mover between(Kind kind, Buffer from, Buffer to) {
        return switch (kind) {
            case BYTE -> bytes((ByteBuffer) from, (ByteBuffer) to);
            case CHAR -> chars((CharBuffer) from, (CharBuffer) to);
            case SHORT -> shorts((ShortBuffer) from, (ShortBuffer) to);
            case INT -> ints((IntBuffer) from, (IntBuffer) to);
            case LONG -> longs((LongBuffer) from, (LongBuffer) to);
            case FLOAT -> floats((FloatBuffer) from, (FloatBuffer) to);
            case DOUBLE -> doubles((DoubleBuffer) from, (DoubleBuffer) to);
            default -> throw new AssertionError(kind);
        };
    }

    /** Returns what copies from an array of booleans, which are bytes of 0 and 1. */
    static Mover from(boolean[] from, ByteBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                strided(source, 1, target, 1, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, (byte) (from[source + i * fromStep] ? 1 : 0));
                }
            }
        };
    }

    /** Returns what copies to an array of booleans; each byte but 0 is true. */
    static Mover to(boolean[] to, ByteBuffer from) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                strided(source, 1, target, 1, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to[target + i * toStep] = from.get(source + i * fromStep) != 0;
                }
            }
        };
    }

    private static Mover bytes(ByteBuffer from, ByteBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover chars(CharBuffer from, CharBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover shorts(ShortBuffer from, ShortBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover ints(IntBuffer from, IntBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover longs(LongBuffer from, LongBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover floats(FloatBuffer from, FloatBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }

    private static Mover doubles(DoubleBuffer from, DoubleBuffer to) {
        return new Mover() {
            @Override
            void copy(int source, int target, int length) {
                to.put(target, from, source, length);
            }

            @Override
            void strided(int source, int fromStep, int target, int toStep, int count) {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * toStep, from.get(source + i * fromStep));
                }
            }
        };
    }
}
