// SPDX-License-Identifier: Apache-2.0
package mpi;

import static java.util.Map.entry;

import io.hayate.Reduction;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** What a predefined operation does: with integers, with floating-point numbers, or with pairs. */
enum Operator {
    MAX(Math::max, Math::max, Map.of(Kind.INT, Reduction.INT_MAX, Kind.LONG, Reduction.LONG_MAX,
            Kind.FLOAT, Reduction.FLOAT_MAX, Kind.DOUBLE, Reduction.DOUBLE_MAX)),
    MIN(Math::min, Math::min, Map.of(Kind.INT, Reduction.INT_MIN, Kind.LONG, Reduction.LONG_MIN,
            Kind.FLOAT, Reduction.FLOAT_MIN, Kind.DOUBLE, Reduction.DOUBLE_MIN)),
    SUM(Long::sum, Double::sum, Map.ofEntries(entry(Kind.INT, Reduction.INT_SUM),
            entry(Kind.LONG, Reduction.LONG_SUM), entry(Kind.FLOAT, Reduction.FLOAT_SUM),
            entry(Kind.DOUBLE, Reduction.DOUBLE_SUM),
            entry(Kind.FLOAT_COMPLEX, Reduction.COMPLEX_FLOAT_SUM),
            entry(Kind.DOUBLE_COMPLEX, Reduction.COMPLEX_DOUBLE_SUM))),
    PROD((a, b) -> a * b, (a, b) -> a * b, Map.ofEntries(entry(Kind.INT, Reduction.INT_PROD),
            entry(Kind.LONG, Reduction.LONG_PROD), entry(Kind.FLOAT, Reduction.FLOAT_PROD),
            entry(Kind.DOUBLE, Reduction.DOUBLE_PROD),
            entry(Kind.FLOAT_COMPLEX, Reduction.COMPLEX_FLOAT_PROD),
            entry(Kind.DOUBLE_COMPLEX, Reduction.COMPLEX_DOUBLE_PROD))),
    LAND((a, b) -> a != 0 && b != 0 ? 1 : 0, null,
            Map.of(Kind.INT, Reduction.INT_LAND, Kind.LONG, Reduction.LONG_LAND)),
    BAND((a, b) -> a & b, null,
            Map.of(Kind.INT, Reduction.INT_BAND, Kind.LONG, Reduction.LONG_BAND)),
    LOR((a, b) -> a != 0 || b != 0 ? 1 : 0, null,
            Map.of(Kind.INT, Reduction.INT_LOR, Kind.LONG, Reduction.LONG_LOR)),
    BOR((a, b) -> a | b, null,
            Map.of(Kind.INT, Reduction.INT_BOR, Kind.LONG, Reduction.LONG_BOR)),
    LXOR((a, b) -> a != 0 ^ b != 0 ? 1 : 0, null,
            Map.of(Kind.INT, Reduction.INT_LXOR, Kind.LONG, Reduction.LONG_LXOR)),
    BXOR((a, b) -> a ^ b, null,
            Map.of(Kind.INT, Reduction.INT_BXOR, Kind.LONG, Reduction.LONG_BXOR)),
    MAXLOC(null, null, Map.of()),
    MINLOC(null, null, Map.of()),
    /** Of windows. */
    REPLACE(null, null, Map.of()),
    /** Of windows. */
    NO_OP(null, null, Map.of());

    final LongBinaryOperator integers;
    final DoubleBinaryOperator reals;
    private final Map<Kind, Reduction> reductions;

    Operator(LongBinaryOperator integers, DoubleBinaryOperator reals,
            Map<Kind, Reduction> reductions) {
        this.integers = integers;
        this.reals = reals;
        this.reductions = reductions;
    }

    /** Returns the same operation of the collectives of Hayate; null: they have none. */
    Reduction reduction(Kind kind) {
        return reductions.get(kind);
    }

    /** Says whether it combines elements of a kind. */
    boolean takes(Kind kind) {
        return switch (kind) {
            case BYTE, CHAR, SHORT, INT, LONG -> integers != null;
            case BOOLEAN -> reals == null && integers != null;
            case FLOAT, DOUBLE -> reals != null;
            case FLOAT_COMPLEX, DOUBLE_COMPLEX -> this == SUM || this == PROD;
            default -> kind.second != null && (this == MAXLOC || this == MINLOC);
        };
    }
}
