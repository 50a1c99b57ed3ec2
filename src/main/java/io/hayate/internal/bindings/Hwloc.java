// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.hayate.internal.natives.ForeignLibrary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The topology of the machine from hwloc 2, an optional library that is loaded at first use. */
public final class Hwloc {
    private static final String LIBRARY = "libhwloc.so.15";
    private static final int NUMA_DEPTH = -3;
    private static final int ROOM = 128;

    /**
     * Objects of one kind.
     *
     * @param type the name in hwloc: "Package", "L2", "NUMANode"
     * @param count number of objects
     * @param detail the size of the first one, such as "2048KB", or ""
     */
    public record Level(String type, int count, String detail) {
    }

    private final NativeLibrary library;
    private final Pointer topology;

    private Hwloc(NativeLibrary library, Pointer topology) {
        this.library = library;
        this.topology = topology;
    }

    /**
     * Returns all levels, from the machine down to its processing units, then the memory nodes.
     *
     * @throws IllegalStateException if hwloc is not installed or fails; has the reason
     */
    public static List<Level> levels() {
        NativeLibrary library;
        try {
            library = ForeignLibrary.open(LIBRARY);
        } catch (LinkageError e) {
            throw new IllegalStateException(LIBRARY + " is not installed", e);
        }
        PointerByReference result = new PointerByReference();
        if (call(library, "hwloc_topology_init", result) != 0) {
            throw new IllegalStateException("hwloc_topology_init failed");
        }
        Hwloc hwloc = new Hwloc(library, result.getValue());
        try {
            return ForeignLibrary.keepingHandlers(hwloc::read); // which loads plugins
        } finally {
            library.getFunction("hwloc_topology_destroy").invoke(new Object[] {hwloc.topology});
        }
    }

    private static int call(NativeLibrary library, String name, Object... arguments) {
        return library.getFunction(name).invokeInt(arguments);
    }

    private List<Level> read() {
        if (call(library, "hwloc_topology_load", topology) != 0) {
            throw new IllegalStateException("hwloc_topology_load failed");
        }
        List<Level> levels = new ArrayList<>();
        int depth = call(library, "hwloc_topology_get_depth", topology);
        for (int at = 0; at < depth; at++) {
            add(levels, at);
        }
        add(levels, NUMA_DEPTH);
        return levels;
    }

    private void add(List<Level> levels, int depth) {
        int count = call(library, "hwloc_get_nbobjs_by_depth", topology, depth);
        if (count > 0) {
            Pointer first = library.getFunction("hwloc_get_obj_by_depth")
                    .invokePointer(new Object[] {topology, depth, 0});
            levels.add(new Level(type(first), count, attributes(first)));
        }
    }

    private String type(Pointer object) {
        byte[] text = new byte[ROOM];
        Function print = library.getFunction("hwloc_obj_type_snprintf");
        return text(text, print.invokeInt(new Object[] {text, size(), object, 0}));
    }

    private String attributes(Pointer object) {
        byte[] text = new byte[ROOM];
        Function print = library.getFunction("hwloc_obj_attr_snprintf");
        return text(text, print.invokeInt(new Object[] {text, size(), object, " ", 0}));
    }

    /** Reads a size_t. */
    private static Long size() {
        return (long) ROOM;
    }

    private static String text(byte[] from, int length) {
        int end = Math.max(0, Math.min(length, ROOM - 1));
        return new String(from, 0, end, StandardCharsets.UTF_8).trim();
    }
}
