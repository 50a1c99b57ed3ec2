// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.job;

import io.hayate.Delegation;
import io.hayate.internal.bindings.DelegationBinding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The delegatee of a node, as the commands show it. */
public final class Delegatee {
    private static final int KILLED = 256;
    private static final String[] COUNTERS =
            {"commands", "bytes", "sleeps", "turns", "connections", "registered_bytes"};

    private Delegatee() {
    }

    /** Returns names and values in their order. */
    public static Map<String, Object> json(DelegationBinding.View view) {
        long[] numbers = view.numbers();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("pid", numbers[DelegationBinding.PID]);
        line.put("state", state(view));
        line.put("network", view.network());
        line.put("wait", waiting(numbers[DelegationBinding.WAITING]));
        line.putAll(counters(view));
        return line;
    }

    public static Map<String, Long> counters(DelegationBinding.View view) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (int i = 0; i < COUNTERS.length; i++) {
            all.put(COUNTERS[i], view.numbers()[DelegationBinding.COMMANDS + i]);
        }
        return all;
    }

    /** Returns a text such as "to process 4711 over libfabric tcp; it waits: adaptive". */
    public static String text(Map<String, Object> json) {
        String network = json.get("network").toString();
        return "to process " + json.get("pid")
                + (network.isEmpty() ? "; the job has one node, so there is nothing to delegate"
                        : " over " + network + "; it waits: " + json.get("wait")
                                + " (HAYATE_DELEGATE_WAIT)");
    }

    /** Returns process, state and counters in a line. */
    public static String line(DelegationBinding.View view) {
        StringBuilder text = new StringBuilder("delegatee ")
                .append(view.numbers()[DelegationBinding.PID]).append(' ').append(state(view));
        counters(view).forEach((name, count) -> text.append(", ").append(name).append(' ')
                .append(count));
        return text.toString();
    }

    /** Returns "serves", "starting", or how it ended. */
    static String state(DelegationBinding.View view) {
        long why = view.numbers()[DelegationBinding.WHY];
        return switch ((int) view.numbers()[DelegationBinding.STATE]) {
            case DelegationBinding.SERVING -> "serves";
            case DelegationBinding.ENDED -> why >= KILLED ? "ended (signal " + (why - KILLED) + ")"
                    : "ended (exit " + why + ")";
            default -> "starting";
        };
    }

    private static String waiting(long number) {
        Delegation.Waiting[] all = Delegation.Waiting.values();
        return number >= 0 && number < all.length ? all[(int) number].toString()
                : String.format(Locale.ROOT, "damaged (%d)", number);
    }
}
