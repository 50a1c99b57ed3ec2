// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Memory of numbers that messages and collectives of the library that made it can use. */
interface Part {
    /** Some of the numbers, in the same memory. */
    Part slice(int from, int count);
}
