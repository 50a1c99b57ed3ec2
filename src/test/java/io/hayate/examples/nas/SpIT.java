// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Scalar pentadiagonal systems. */
class SpIT extends CfdSuite {
    SpIT() {
        super(Sp.class, "2.7470315451", "36 x 36 x 36");
    }
}
