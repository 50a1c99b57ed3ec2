// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkChecksTest {
    private static Finding network(Map<String, String> reasons) {
        return new NetworkChecks(reasons::get).network();
    }

    @Test
    void shouldNameTheNetworkThatIsPreferred() {
        Finding both = network(Map.of());
        assertEquals(Finding.Level.OK, both.level());
        assertTrue(both.text().contains("verbs can reach other nodes"), both.text());
    }

    @Test
    void shouldSayWhyItIsNotThePreferredOne() {
        Finding second = network(Map.of("verbs", "no device"));
        assertEquals(Finding.Level.OK, second.level());
        assertTrue(second.text().contains("ofi can reach other nodes; verbs cannot: no device"),
                second.text());
    }

    @Test
    void shouldWarnWhereNoneReachesOtherNodes() {
        Finding none = network(Map.of("verbs", "no device", "ofi", "no library"));
        assertEquals(Finding.Level.WARN, none.level());
        assertTrue(none.text().contains("verbs cannot: no device; ofi cannot: no"
                + " library"), none.text());
        assertTrue(none.text().contains("libfabric1"), none.text());
    }

    @Test
    void shouldSayWhatADelegateeReaches() {
        Finding good = new NetworkChecks(path -> null).delegation(8);
        assertEquals(Finding.Level.OK, good.level());
        assertTrue(good.text().contains("all memory of the ranks by cma; 8 CPUs"), good.text());
        Finding copies = new NetworkChecks(Map.of("cma", "it is forbidden")::get).delegation(8);
        assertEquals(Finding.Level.WARN, copies.level());
        assertTrue(copies.text().contains("(it is forbidden): ranks copy"), copies.text());
    }

    @Test
    void shouldWarnOfADelegateeWithoutACoreForIt() {
        Finding narrow = new NetworkChecks(path -> null).delegation(1);
        assertEquals(Finding.Level.WARN, narrow.level());
        assertTrue(narrow.text().contains("1 CPU, so a delegatee takes time"), narrow.text());
    }
}
