// SPDX-License-Identifier: Apache-2.0
/** The implementation of {@code Ompl}, the global space. */
package io.hayate.internal.ompl;
