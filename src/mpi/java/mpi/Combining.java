// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/** Predefined operations on packed elements, in the byte order of the machine. */
final class Combining {
    private Combining() {
    }

    /** Replaces each element of the second buffer by what the operation makes of both. */
    static void combine(Operator op, Kind kind, ByteBuffer in, ByteBuffer inOut) {
        int end = in.capacity();
        for (int at = 0; at < end; at += kind.bytes) {
            if (kind == Kind.FLOAT_COMPLEX || kind == Kind.DOUBLE_COMPLEX) {
                combineComplex(op, kind.first, in, inOut, at);
            } else if (kind.second != null) {
                chooseOne(op, kind, in, inOut, at);
            } else if (isReal(kind)) {
                putReal(inOut, at, kind,
                        op.reals.applyAsDouble(real(in, at, kind), real(inOut, at, kind)));
            } else {
                putInteger(inOut, at, kind, op.integers.applyAsLong(integer(in, at, kind),
                        integer(inOut, at, kind)));
            }
        }
    }

    private static void combineComplex(Operator op, Kind part, ByteBuffer in, ByteBuffer inOut,
            int at) {
        int second = at + part.bytes;
        double re = real(in, at, part);
        double im = real(in, second, part);
        double otherRe = real(inOut, at, part);
        double otherIm = real(inOut, second, part);
        boolean sum = op == Operator.SUM;
        putReal(inOut, at, part, sum ? re + otherRe : re * otherRe - im * otherIm);
        putReal(inOut, second, part, sum ? im + otherIm : re * otherIm + im * otherRe);
    }

    /** Of equal values, that with the smaller location. */
    private static void chooseOne(Operator op, Kind kind, ByteBuffer in, ByteBuffer inOut,
            int at) {
        int second = at + kind.first.bytes;
        int order = compare(kind.first, in, inOut, at);
        if (op == Operator.MINLOC) {
            order = -order;
        }
        if (order > 0 || order == 0 && compare(kind.second, in, inOut, second) < 0) {
            for (int i = at; i < at + kind.bytes; i++) {
                inOut.put(i, in.get(i));
            }
        }
    }

    private static int compare(Kind kind, ByteBuffer a, ByteBuffer b, int at) {
        return isReal(kind) ? Double.compare(real(a, at, kind), real(b, at, kind))
                : Long.compare(integer(a, at, kind), integer(b, at, kind));
    }

    private static boolean isReal(Kind kind) {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    private static double real(ByteBuffer bytes, int at, Kind kind) {
        return kind == Kind.FLOAT ? bytes.getFloat(at) : bytes.getDouble(at);
    }

    private static void putReal(ByteBuffer bytes, int at, Kind kind, double value) {
        if (kind == Kind.FLOAT) {
            bytes.putFloat(at, (float) value);
        } else {
            bytes.putDouble(at, value);
        }
    }

    private static long integer(ByteBuffer bytes, int at, Kind kind) {
        return switch (kind) {
            case CHAR -> bytes.getChar(at);
            case SHORT -> bytes.getShort(at);
            case INT -> bytes.getInt(at);
            case LONG -> bytes.getLong(at);
            default -> bytes.get(at);
        };
    }

    private static void putInteger(ByteBuffer bytes, int at, Kind kind, long value) {
        switch (kind) {
            case CHAR -> bytes.putChar(at, (char) value);
            case SHORT -> bytes.putShort(at, (short) value);
            case INT -> bytes.putInt(at, (int) value);
            case LONG -> bytes.putLong(at, value);
            default -> bytes.put(at, (byte) value);
        }
    }
}
