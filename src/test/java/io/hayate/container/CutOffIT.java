// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests what the ranks of other nodes learn, and how soon, when a node disappears while all
 * communicate.
 */
@InContainers
@Tag("alone")
class CutOffIT {
    private static final int CUT = Nodes.COUNT - 1;
    private static final int SURVIVORS = CUT * Nodes.RANKS_EACH;
    private static final long START_MS = 60_000;

    /** Without an answer for so many seconds a peer has failed. */
    private static final int SILENCE = 3;

    /** Beyond the silence; the promise is a second, the rest is for a loaded machine. */
    private static final long TOLD_MS = SILENCE * 1000 + 4000;

    /** Who closes may have to find out about each rank of the other side, one after the other. */
    private static final long CLOSED_MS = SURVIVORS * SILENCE * 1000 + 4000;

    private static void begin(Nodes nodes) throws Exception {
        List<String> command = Nodes.launch(
                Nodes.java(CutOffMain.class, CutOffMain.KINDS.toArray(new String[0])));
        nodes.shell(0, "export HAYATE_NET_SILENCE=" + SILENCE
                + "; setsid sh -c 'echo $$ >job.pid; exec \"$@\"' sh '"
                + String.join("' '", command) + "' >job.txt 2>&1 &");
        awaitLines(nodes, CUT, "RUNNING", Nodes.RANKS, START_MS);
    }

    /** So many lines of this kind, in words, by the ranks of all nodes up to this one. */
    private static List<String[]> awaitLines(Nodes nodes, int last, String kind, int expected,
            long limitMs) throws Exception {
        long begun = System.nanoTime();
        while (true) {
            List<String> told = told(nodes, 0, last);
            List<String[]> found = told.stream().filter(line -> line.startsWith(kind + " "))
                    .map(line -> line.split(" ", 6)).toList();
            if (found.size() >= expected) {
                return found;
            }
            long ms = (System.nanoTime() - begun) / 1_000_000;
            if (ms > limitMs) {
                throw new AssertionError("only " + found.size() + " of " + expected + " lines "
                        + kind + " after " + ms + " ms in\n" + String.join("\n", told) + "\n"
                        + output(nodes));
            }
        }
    }

    private static List<String> told(Nodes nodes, int first, int last) throws Exception {
        List<String> lines = new ArrayList<>();
        for (int node = first; node <= last; node++) {
            lines.addAll(nodes.shell(node, "cat /tmp/told.* 2>/dev/null || true").out());
        }
        return lines;
    }

    private static String output(Nodes nodes) throws Exception {
        return String.join("\n", nodes.shell(0, "cat job.txt").out());
    }

    /** Each rank up to this node's last was told about each kind, of a rank of the others' side. */
    private static void assertTold(Nodes nodes, int last, long since) throws Exception {
        int expected = (last + 1) * Nodes.RANKS_EACH * CutOffMain.KINDS.size();
        long latest = 0;
        for (String[] words : awaitLines(nodes, last, "FAILED", expected, 2 * TOLD_MS)) {
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

    private static void assertClose(Nodes nodes, int last) throws Exception {
        for (int node = 0; node <= last; node++) {
            nodes.shell(node, "touch /tmp/over");
        }
        int expected = (last + 1) * Nodes.RANKS_EACH;
        for (String[] words : awaitLines(nodes, last, "CLOSED", expected, 2 * CLOSED_MS)) {
            System.out.println(String.join(" ", words));
            assertTrue(Long.parseLong(words[2]) <= CLOSED_MS, String.join(" ", words));
        }
    }

    /** Both sides take the other for silent, and go on without it. */
    @Test
    void should_tell_both_sides_when_a_node_is_disconnected() throws Exception {
        try (Nodes nodes = Nodes.start()) {
            begin(nodes);
            long now = System.nanoTime();
            nodes.disconnect(CUT);
            assertTold(nodes, CUT, now);
            assertClose(nodes, CUT);
        }
    }

    /** The launcher would end all ranks as soon as it sees a node go: it is stopped meanwhile. */
    @Test
    void should_tell_the_others_when_a_node_is_killed() throws Exception {
        try (Nodes nodes = Nodes.start()) {
            begin(nodes);
            nodes.shell(0, "kill -STOP $(cat job.pid)");
            long now = System.nanoTime();
            nodes.kill(CUT);
            assertTold(nodes, CUT - 1, now);
            assertClose(nodes, CUT - 1);
        }
    }
}
