// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/**
 * A neighbour across a face of a level: who it is, and the planes to it and from it. `outgoing` is
 * not to be changed, and `incoming` not to be used, until its transfer is over.
 */
record MgNeighbour(int rank, DoubleBuffer outgoing, Transfer send, DoubleBuffer incoming,
        Transfer receive) { }
