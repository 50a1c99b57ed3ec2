// SPDX-License-Identifier: Apache-2.0
/** The events of Hayate in the flight recorder of the JVM (JFR). */
package io.hayate.internal.jfr;
