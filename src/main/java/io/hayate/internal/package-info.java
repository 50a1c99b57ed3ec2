// SPDX-License-Identifier: Apache-2.0
/**
 * The bindings to the native library (JNI for hot calls, JNA for the others), its loading, and the
 * exceptions and log lines that come from it. The packages below contain the state of jobs,
 * messages, spaces, persistent collectives and tasks.
 */
package io.hayate.internal;
