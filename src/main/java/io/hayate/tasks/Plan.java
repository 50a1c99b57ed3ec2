// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The order of the tasks of all ranks: which task waits for which. Each rank builds it from the
 * same descriptions, so that all ranks find the same error.
 */
final class Plan {
    /** A version of a region in the part of a rank. */
    record Item(int rank, long flag, long version) {
        @Override
        public String toString() {
            return "version " + version + " of the region with its flag at " + flag + " of rank "
                    + rank;
        }
    }

    /** A task of any rank. */
    static final class Node {
        final int rank;
        final int index;
        final String name;
        final List<Item> needs = new ArrayList<>();
        final List<Node> before = new ArrayList<>();
        private final List<Node> behind = new ArrayList<>();
        private int missing;

        Node(int rank, int index, String name) {
            this.rank = rank;
            this.index = index;
            this.name = name;
        }

        @Override
        public String toString() {
            return name + " (rank " + rank + ")";
        }
    }

    private final List<List<Node>> ranks = new ArrayList<>();
    private final Map<Item, Node> makers = new HashMap<>();

    /**
     * Builds the plan from the descriptions of all ranks, in their order. Throws if the graph
     * cannot be run.
     */
    Plan(List<byte[]> told) {
        for (int rank = 0; rank < told.size(); rank++) {
            read(rank, told.get(rank));
        }
        ranks.forEach(nodes -> nodes.forEach(this::link));
        requireNoCycle();
    }

    /** Returns the task that makes an input of a rank. */
    Node maker(int rank, Task.Need need) {
        return makers.get(new Item(rank, need.flag(), need.version()));
    }

    // ---- between ranks

    static byte[] write(List<Task> tasks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(tasks.size());
            for (Task task : tasks) {
                write(out, task);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Task task) throws IOException {
        out.writeUTF(task.name);
        out.writeInt(task.after.size());
        for (Task other : task.after) {
            out.writeInt(other.index);
        }
        out.writeInt(task.needs.size());
        for (Task.Need need : task.needs) {
            out.writeLong(need.flag());
            out.writeLong(need.version());
        }
        out.writeInt(task.makes.size());
        for (Task.Make make : task.makes) {
            out.writeLong(make.region().flag());
            out.writeLong(make.version());
            out.writeInt(make.ranks().length);
            for (int rank : make.ranks()) {
                out.writeInt(rank);
            }
        }
    }

    private void read(int rank, byte[] told) {
        List<Node> nodes = new ArrayList<>();
        List<int[]> after = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(told))) {
            for (int left = in.readInt(); left > 0; left--) {
                nodes.add(readNode(rank, in, after));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the description of the tasks of rank " + rank
                    + " is incomplete",
                    e);
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (int other : after.get(i)) {
                nodes.get(i).before.add(nodes.get(other));
            }
        }
        ranks.add(nodes);
    }

    private Node readNode(int rank, DataInputStream in, List<int[]> after) throws IOException {
        Node node = new Node(rank, after.size(), in.readUTF());
        int[] others = new int[in.readInt()];
        for (int i = 0; i < others.length; i++) {
            others[i] = in.readInt();
        }
        after.add(others);
        for (int left = in.readInt(); left > 0; left--) {
            node.needs.add(new Item(rank, in.readLong(), in.readLong()));
        }
        for (int left = in.readInt(); left > 0; left--) {
            readMake(node, in);
        }
        return node;
    }

    private void readMake(Node node, DataInputStream in) throws IOException {
        long flag = in.readLong();
        long version = in.readLong();
        LinkedHashSet<Integer> parts = new LinkedHashSet<>(List.of(node.rank));
        for (int left = in.readInt(); left > 0; left--) {
            parts.add(in.readInt());
        }
        for (int part : parts) {
            Item item = new Item(part, flag, version);
            Node other = makers.put(item, node);
            if (other != null) {
                throw new TaskException("tasks " + other + " and " + node + " both make " + item);
            }
        }
    }

    // ---- order

    private void link(Node node) {
        for (Item need : node.needs) {
            Node maker = makers.get(need);
            if (maker == null) {
                throw new TaskException("task " + node + " needs " + need
                        + ", which no task makes there");
            }
            node.before.add(maker);
        }
        node.before.forEach(other -> other.behind.add(node));
        node.missing = node.before.size();
    }

    private void requireNoCycle() {
        List<Node> ready = new ArrayList<>();
        ranks.forEach(nodes -> nodes.stream().filter(node -> node.missing == 0)
                .forEach(ready::add));
        for (int i = 0; i < ready.size(); i++) {
            for (Node next : ready.get(i).behind) {
                if (--next.missing == 0) {
                    ready.add(next);
                }
            }
        }
        ranks.forEach(nodes -> nodes.stream().filter(node -> node.missing > 0).findFirst()
                .ifPresent(Plan::refuseCycle));
    }

    /** A walk backwards from a task that never becomes ready leads into the cycle. */
    private static void refuseCycle(Node begin) {
        LinkedHashSet<Node> way = new LinkedHashSet<>();
        Node node = begin;
        while (way.add(node)) {
            node = node.before.stream().filter(each -> each.missing > 0).findFirst().orElseThrow();
        }
        List<Node> cycle = new ArrayList<>(way);
        cycle = cycle.subList(cycle.indexOf(node), cycle.size());
        Node[] order = cycle.toArray(new Node[0]);
        throw new TaskException("tasks wait for each other in a cycle: " + order[0] + " for "
                + String.join(" for ", Arrays.stream(order).skip(1).map(Node::toString).toList())
                + (order.length > 1 ? " for " : "") + order[0]);
    }
}
