// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** How large a benchmark is: S is a sample, W is for a workstation of 1994, A and B for more. */
enum ProblemClass { S, W, A, B }
