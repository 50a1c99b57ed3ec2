// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Block tridiagonal systems. */
class BtIT extends CfdSuite {
    BtIT() {
        super(Bt.class, "1.7034283709", "24 x 24 x 24");
    }
}
