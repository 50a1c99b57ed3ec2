// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * What a delegatee has done since the job was started. See {@link Delegation#counters()}.
 *
 * @param commands commands of all ranks of the node that it has begun
 * @param bytes bytes of data in these commands, in both directions
 * @param ownCommands commands of this rank
 * @param ownBytes bytes of data in the commands of this rank
 * @param sleeps how often it has slept, because there was nothing to do
 * @param turns how often it has looked for work, as of its last slow turn; at most 0.1 s old
 * @param connections other nodes that it has sent to or received from by commands
 * @param registeredBytes bytes of memory that its network may access: the memory of all ranks of
 *     the node, once
 */
public record DelegationCounters(long commands, long bytes, long ownCommands, long ownBytes,
        long sleeps, long turns, long connections, long registeredBytes) {
}
