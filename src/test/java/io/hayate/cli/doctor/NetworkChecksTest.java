// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkChecksTest {
    private static Finding network(Map<String, String> reasons) {
        return new NetworkChecks(reasons::get).network();
    }

    @Test
    void should_name_the_network_that_is_preferred() {
        Finding both = network(Map.of());
        assertEquals(Finding.Level.OK, both.level());
        assertTrue(both.text().contains("verbs can reach other nodes"), both.text());
    }

    @Test
    void should_say_why_it_is_not_the_preferred_one() {
        Finding second = network(Map.of("verbs", "no device"));
        assertEquals(Finding.Level.OK, second.level());
        assertTrue(second.text().contains("ofi can reach other nodes; verbs cannot: no device"),
                second.text());
    }

    @Test
    void should_warn_where_none_reaches_other_nodes() {
        Finding none = network(Map.of("verbs", "no device", "ofi", "no library"));
        assertEquals(Finding.Level.WARN, none.level());
        assertTrue(none.text().contains("verbs cannot: no device; ofi cannot: no"
                + " library"), none.text());
        assertTrue(none.text().contains("libfabric1"), none.text());
    }

    @Test
    void should_say_what_a_delegatee_reaches() {
        Finding good = new NetworkChecks(path -> null).delegation(8);
        assertEquals(Finding.Level.OK, good.level());
        assertTrue(good.text().contains("all memory of the ranks by cma; 8 CPUs"), good.text());
        Finding copies = new NetworkChecks(Map.of("cma", "it is forbidden")::get).delegation(8);
        assertEquals(Finding.Level.WARN, copies.level());
        assertTrue(copies.text().contains("(it is forbidden): ranks copy"), copies.text());
    }

    @Test
    void should_warn_of_a_delegatee_without_a_core_for_it() {
        Finding narrow = new NetworkChecks(path -> null).delegation(1);
        assertEquals(Finding.Level.WARN, narrow.level());
        assertTrue(narrow.text().contains("1 CPU, so a delegatee takes time"), narrow.text());
    }
}
