// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.testcontainers.ClusterJob;
import io.hayate.testcontainers.HayateCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests what the ranks of other nodes learn, and how soon, when a node disappears while all
 * communicate.
 */
@InContainers
@Tag("alone") // who gets no processor is silent, too
class CutOffIT {
    private static final int CUT = Nodes.COUNT - 1;
    private static final int SURVIVORS = CUT * Nodes.RANKS_EACH;
    private static final long START_MS = 180_000;

    /** Without an answer for so many seconds a peer has failed. */
    private static final int SILENCE = 3;

    /** Beyond the silence; the promise is a second, the rest is for a loaded machine. */
    private static final long TOLD_MS = SILENCE * 1000 + 20_000;

    /** Who closes may have to find out about each rank of the other side, one after the other. */
    private static final long CLOSED_MS = SURVIVORS * SILENCE * 1000 + 20_000;

    private static HayateCluster start() {
        HayateCluster nodes = Nodes.cluster()
                .withEnvironment("HAYATE_NET_SILENCE", Integer.toString(SILENCE));
        nodes.start();
        return nodes;
    }

    private static ClusterJob begin(HayateCluster nodes) throws Exception {
        ClusterJob job = nodes.launch(
                nodes.java(CutOffMain.class, CutOffMain.KINDS.toArray(new String[0])));
        awaitLines(job, CUT, "RUNNING", Nodes.RANKS, START_MS);
        return job;
    }

    /** So many lines of this kind, in words, by the ranks of all nodes up to this one. */
    private static List<String[]> awaitLines(ClusterJob job, int last, String kind, int expected,
            long limitMs) throws Exception {
        long begun = System.nanoTime();
        while (true) {
            List<String> told = told(job, last);
            List<String[]> found = told.stream().filter(line -> line.startsWith(kind + " "))
                    .map(line -> line.split(" ", 6)).toList();
            if (found.size() >= expected) {
                return found;
            }
            long ms = (System.nanoTime() - begun) / 1_000_000;
            if (ms > limitMs) {
                throw new AssertionError("only " + found.size() + " of " + expected + " lines "
                        + kind + " after " + ms + " ms in\n" + job);
            }
            Thread.sleep(50);
        }
    }

    /** By the ranks of all nodes up to this one. */
    private static List<String> told(ClusterJob job, int last) {
        return IntStream.range(0, (last + 1) * Nodes.RANKS_EACH)
                .mapToObj(job::out).flatMap(List::stream).toList();
    }

    /** Each rank up to this node's last was told about each kind, of a rank of the others' side. */
    private static void assertTold(ClusterJob job, int last, long since) throws Exception {
        int expected = (last + 1) * Nodes.RANKS_EACH * CutOffMain.KINDS.size();
        long latest = 0;
        for (String[] words : awaitLines(job, last, "FAILED", expected, 2 * TOLD_MS)) {
            int rank = Integer.parseInt(words[1]);
            int peer = Integer.parseInt(words[3]);
            String line = String.join(" ", words);
            assertEquals(rank < SURVIVORS, peer >= SURVIVORS, line);
            if (words[2].equals("messages")) {
                assertEquals(rank % Nodes.RANKS_EACH, peer % Nodes.RANKS_EACH, line);
            }
            long ms = (Long.parseLong(words[4]) - since) / 1_000_000;
            System.out.println(line + ": after " + ms + " ms");
            assertTrue(ms >= 0, line + " before the cut");
            latest = Math.max(latest, ms);
        }
        assertTrue(latest <= TOLD_MS, "told after " + latest + " ms, expected at most " + TOLD_MS);
    }

    private static void assertClose(HayateCluster nodes, ClusterJob job, int last)
            throws Exception {
        for (int node = 0; node <= last; node++) {
            nodes.shell(node, "touch /tmp/over");
        }
        int expected = (last + 1) * Nodes.RANKS_EACH;
        for (String[] words : awaitLines(job, last, "CLOSED", expected, 2 * CLOSED_MS)) {
            System.out.println(String.join(" ", words));
            assertTrue(Long.parseLong(words[2]) <= CLOSED_MS, String.join(" ", words));
        }
    }

    /** Both sides take the other for silent, and go on without it. */
    @Test
    void should_tell_both_sides_when_a_node_is_disconnected() throws Exception {
        try (HayateCluster nodes = start()) {
            ClusterJob job = begin(nodes);
            long now = System.nanoTime();
            nodes.disconnect(CUT);
            assertTold(job, CUT, now);
            assertClose(nodes, job, CUT);
        }
    }

    /** The launcher would end all ranks as soon as it sees a node go: it is stopped meanwhile. */
    @Test
    void should_tell_the_others_when_a_node_is_killed() throws Exception {
        try (HayateCluster nodes = start()) {
            ClusterJob job = begin(nodes);
            nodes.shell(0, "pkill -STOP '^mpiexec'");
            long now = System.nanoTime();
            nodes.kill(CUT);
            assertTold(job, CUT - 1, now);
            assertClose(nodes, job, CUT - 1);
        }
    }
}
