// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.internal.ExplainBinding;

/**
 * What is to be explained.
 *
 * @param collective its name
 * @param ranks in the communicator
 * @param root 0 where there is none
 * @param bytes of the whole, or of a rank's own block
 * @param element bytes of an element; 0: as the library likes
 * @param cpus of the machine; 0: those of this process
 * @param nodes such machines
 * @param cyclic ranks go round the nodes one by one
 * @param net between nodes, "tcp"
 * @param ordinary not a persistent operation
 * @param outside memory that is not in the heap
 * @param spread a CPU for each rank
 * @param hint "algorithm=ring transfer=get", of the command line
 */
public record Question(String collective, int ranks, int root, long bytes, long element, int cpus,
        int nodes, boolean cyclic, String net, boolean ordinary, boolean outside, boolean spread,
        String hint) {
    private static final String PROPERTY = "hayate.coll";

    /** Asks the library. */
    long open() {
        int flags = (ordinary ? ExplainBinding.ORDINARY : 0)
                | (outside ? ExplainBinding.OUTSIDE : 0)
                | (spread ? ExplainBinding.SPREAD : 0) | (cyclic ? ExplainBinding.CYCLIC : 0);
        return ExplainBinding.explainOpen(collective, ranks, root, bytes, element, flags, cpus,
                nodes, net, hint, System.getProperty(PROPERTY + "." + collective),
                System.getProperty(PROPERTY), System.getProperty(PROPERTY + ".rules"));
    }
}
