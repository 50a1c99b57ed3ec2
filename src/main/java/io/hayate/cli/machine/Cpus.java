// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.machine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** CPUs that the control group allows, and the topology from /sys if hwloc is not installed. */
public final class Cpus {
    private static final String CPU = "/sys/devices/system/cpu";
    /** The fields of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;
    private static final double TICKS = 100;

    private final Machine machine;

    public Cpus(Machine machine) {
        this.machine = machine;
    }

    /** Returns the numbers of the CPUs that this process may run on, in ascending order. */
    public List<Integer> allowed() {
        List<Integer> all = new ArrayList<>();
        String list = machine.field("/proc/self/status", "Cpus_allowed_list").orElse("0");
        for (String part : list.split(",")) { // such as "0-3,8"
            String[] ends = part.trim().split("-");
            try {
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
                    all.add(cpu);
                }
            } catch (NumberFormatException e) {
                return all;
            }
        }
        return all;
    }

    /**
     * Returns the number of CPUs whose time the control groups grant; empty if there is no limit.
     */
    public OptionalDouble quota() {
        double least = Double.POSITIVE_INFINITY;
        for (String directory : groups()) {
            least = Math.min(least, quotaOf(directory));
        }
        return least < Double.POSITIVE_INFINITY ? OptionalDouble.of(least) : OptionalDouble.empty();
    }

    /**
     * Returns the cgroup v2 directories of this process and its ancestors, then the v1 directory
     * that containers see.
     */
    private List<String> groups() {
        List<String> groups = new ArrayList<>();
        String path = machine.lines("/proc/self/cgroup").stream()
                .filter(line -> line.startsWith("0::/")).map(line -> line.substring(3))
                .findFirst().orElse("/");
        while (!path.isEmpty() && !path.contains("..")) {
            groups.add("/sys/fs/cgroup" + (path.equals("/") ? "" : path));
            path = path.substring(0, path.lastIndexOf('/'));
        }
        groups.add("/sys/fs/cgroup");
        groups.add("/sys/fs/cgroup/cpu");
        return groups;
    }

    private double quotaOf(String directory) {
        String[] both = machine.text(directory + "/cpu.max").orElse("max 100000").split(" ");
        if (both.length == 2 && !both[0].equals("max")) {
            return ratio(both[0], both[1]);
        }
        OptionalLong quota = machine.number(directory + "/cpu.cfs_quota_us");
        OptionalLong period = machine.number(directory + "/cpu.cfs_period_us");
        boolean limited = quota.orElse(-1) > 0 && period.orElse(0) > 0;
        return limited ? (double) quota.getAsLong() / period.getAsLong() : Double.POSITIVE_INFINITY;
    }

    private static double ratio(String quota, String period) {
        try {
            return Double.parseDouble(quota) / Double.parseDouble(period);
        } catch (NumberFormatException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Returns the time that all CPUs have spent on programs, and that the hypervisor has taken away
     * from them, in seconds.
     */
    public double busySeconds() {
        String[] fields = machine.text("/proc/stat").orElse("").split(" +");
        double ticks = 0;
        for (int i = 1; i <= STEAL && i < fields.length; i++) {
            ticks += i == IDLE || i == IO_WAIT ? 0 : Double.parseDouble(fields[i]);
        }
        return ticks / TICKS;
    }

    /** Describes the topology in /sys, such as "1 Package, 2 Core, 2 PU, 1 NUMANode". */
    public String fromSys() {
        Set<String> packages = new HashSet<>();
        Set<String> cores = new HashSet<>();
        int cpus = 0;
        for (String name : machine.names(CPU)) {
            String topology = CPU + "/" + name + "/topology/";
            if (name.matches("cpu[0-9]+") && machine.exists(topology + "core_id")) {
                String socket = machine.text(topology + "physical_package_id").orElse("?");
                packages.add(socket);
                cores.add(socket + ":" + machine.text(topology + "core_id").orElse("?"));
                cpus++;
            }
        }
        long nodes = machine.names("/sys/devices/system/node").stream()
                .filter(name -> name.matches("node[0-9]+")).count();
        return packages.size() + " Package, " + cores.size() + " Core, " + cpus + " PU, " + nodes
                + " NUMANode";
    }
}
