// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.internal.bindings.FlightBinding.Operation;
import io.hayate.internal.bindings.FlightBinding.View;
import java.util.List;
import java.util.Locale;

/** A recorded operation in words. */
final class FlightWords {
    private static final List<String> COMPARISONS = List.of("==", "!=", ">", ">=", "<", "<=");
    private static final List<String> ATOMICS = List.of("fetch", "fetch-add", "fetch-and",
            "fetch-or", "swap", "compare-swap");
    /** By error codes times -1 (hayate.h). */
    private static final List<String> ERRORS = List.of("success", "invalid argument", "truncated",
            "busy", "closed", "peer failed", "no memory", "mismatch", "launch failed",
            "unsupported", "system error", "cancelled", "invalid state", "corrupt data",
            "callback failed", "timed out", "interrupted");
    private static final double STEP = 1000;

    private FlightWords() {
    }

    static String of(View view, Operation operation) {
        return what(operation) + end(view, operation);
    }

    private static String end(View view, Operation operation) {
        if (!operation.ended()) {
            long nanos = Math.max(0, view.seenNanos() - operation.startNanos());
            return ": not ended, for " + duration(nanos);
        }
        String took = duration(operation.tookNanos());
        if (operation.code() != 0) {
            return ": " + error(operation) + " after " + took;
        }
        return ", " + took + (operation.way() == null ? "" : " by " + operation.way());
    }

    private static String what(Operation o) {
        return switch (o.kind()) {
            case "send" -> "send " + bytes(o) + " to " + o.peer() + ", mai " + o.place();
            case "receive" -> "receive up to " + bytes(o) + " from " + o.peer() + ", mai "
                    + o.place();
            case "probe" -> "wait for a message of " + (o.peer() < 0 ? "any rank" : o.peer())
                    + (o.place() < 0 ? ", one of several mais" : ", mai " + o.place());
            case "collective" -> o.collective() + " #" + o.number() + length(o) + where(o);
            case "persistent" -> "persistent " + o.collective() + ", run " + o.number() + length(o)
                    + where(o);
            case "word" -> "wait for the word at " + o.bytes() + " " + name(COMPARISONS, o) + " "
                    + Long.toUnsignedString(o.number());
            case "fence" -> o.what() == 1 ? "init" : "set-up with all ranks";
            case "put" -> "put " + amount(o) + " to " + o.peer() + offset(o);
            case "get" -> "get " + amount(o) + " from " + o.peer() + offset(o);
            case "flag" -> (o.bytes() == 0 ? "put a flag" : "put " + bytes(o) + " and a flag")
                    + " to " + o.peer() + ", offset " + o.number();
            case "atomic" -> name(ATOMICS, o) + " on " + o.peer() + ", offset " + o.number();
            case "accumulate" -> "accumulate " + bytes(o) + " to " + o.peer() + ", offset "
                    + o.number();
            case "flush" -> "flush to " + (o.peer() < 0 ? "all ranks" : o.peer());
            default -> o.kind();
        };
    }

    private static String bytes(Operation o) {
        return Long.toUnsignedString(o.bytes()) + " B";
    }

    private static String length(Operation o) {
        return o.bytes() == 0 ? "" : " of " + bytes(o);
    }

    private static String where(Operation o) {
        return (o.peer() < 0 ? "" : ", root " + o.peer())
                + (o.place() == 0 ? "" : ", communicator " + o.place());
    }

    /** A vector has no length, but a number of pieces. */
    private static String amount(Operation o) {
        return o.bytes() == 0 ? o.number() + " pieces" : bytes(o);
    }

    private static String offset(Operation o) {
        return o.bytes() == 0 ? "" : ", offset " + o.number();
    }

    private static String name(List<String> names, Operation o) {
        return o.what() < names.size() ? names.get(o.what()) : "?";
    }

    /** Names an error code; a damaged file may contain any. */
    static String error(Operation o) {
        int error = -o.code();
        return error >= 0 && error < ERRORS.size() ? ERRORS.get(error) : "error " + o.code();
    }

    /** In the unit that leaves the fewest digits. */
    static String duration(long nanos) {
        double time = nanos;
        for (String unit : List.of("ns", "us", "ms")) {
            if (time < STEP - 0.5) {
                boolean decimal = time < 10 && nanos >= STEP;
                return String.format(Locale.ROOT, decimal ? "%.1f %s" : "%.0f %s", time, unit);
            }
            time /= STEP;
        }
        return String.format(Locale.ROOT, "%.1f s", time);
    }
}
