// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.internal.bindings.ExplainBinding;

/**
 * A request to explain a collective.
 *
 * @param collective its name
 * @param ranks number of ranks in the communicator
 * @param root the root, or 0
 * @param bytes size of all data, or of the block of a rank
 * @param element bytes of an element; 0: the default of the library
 * @param cpus number of CPUs of a node; 0: those of this process
 * @param nodes number of nodes
 * @param cyclic whether ranks are distributed over the nodes in turn
 * @param net network between nodes, such as "tcp"
 * @param ordinary whether it is an ordinary collective, not a persistent one
 * @param outside whether the memory is outside the heap
 * @param spread whether each rank has a CPU
 * @param hint hints of the command line, such as "algorithm=ring transfer=get"
 */
public record Question(String collective, int ranks, int root, long bytes, long element, int cpus,
        int nodes, boolean cyclic, String net, boolean ordinary, boolean outside, boolean spread,
        String hint) {
    private static final String PROPERTY = "hayate.coll";

    /** Passes the request to the library. */
    long open() {
        int flags = (ordinary ? ExplainBinding.ORDINARY : 0)
                | (outside ? ExplainBinding.OUTSIDE : 0)
                | (spread ? ExplainBinding.SPREAD : 0) | (cyclic ? ExplainBinding.CYCLIC : 0);
        return ExplainBinding.explainOpen(collective, ranks, root, bytes, element, flags, cpus,
                nodes, net, hint, System.getProperty(PROPERTY + "." + collective),
                System.getProperty(PROPERTY), System.getProperty(PROPERTY + ".rules"));
    }
}
