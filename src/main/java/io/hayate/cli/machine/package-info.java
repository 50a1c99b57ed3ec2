// SPDX-License-Identifier: Apache-2.0
/** This machine: /proc, /sys and its CPUs. */
package io.hayate.cli.machine;
