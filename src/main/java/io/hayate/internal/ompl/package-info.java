// SPDX-License-Identifier: Apache-2.0
/** What is behind an {@code Ompl}: the global space. */
package io.hayate.internal.ompl;
