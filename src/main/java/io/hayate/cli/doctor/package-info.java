// SPDX-License-Identifier: Apache-2.0
/** {@code hayate info} and {@code hayate doctor}: what this machine can do. */
package io.hayate.cli.doctor;
