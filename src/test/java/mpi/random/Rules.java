// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.List;

/**
 * MPI's rules of matching, for the messages to one rank on one communicator. Two messages of one
 * sender that a receive accepts reach it in the order of the sends, and a message goes to the first
 * of the receives that accept it; messages of different senders come in any order.
 */
final class Rules {
    private Rules() {
    }

    /**
     * What one sender's messages do, in the order of the sends, if no receive is from any source:
     * each takes the first free receive that accepts it, whenever either comes.
     *
     * @return whether each finds one
     */
    static boolean allMatch(List<Letter> letters, List<Receipt> receipts) {
        List<Receipt> free = new ArrayList<>(receipts);
        return letters.stream().allMatch(letter -> free.stream()
                .filter(receipt -> receipt.accepts(letter)).findFirst().map(free::remove)
                .orElse(false));
    }

    /**
     * Checks who got what.
     *
     * @param letters of all senders, those of each in the order of its sends
     * @param places for each letter, the place of its receive in the order of the posts
     * @param receipts in the order of the posts
     */
    static void check(List<Letter> letters, int[] places, List<Receipt> receipts) {
        for (int later = 0; later < places.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                Letter first = letters.get(earlier);
                Trouble.unless(first.from != letters.get(later).from
                        || places[later] > places[earlier]
                        || !receipts.get(places[later]).accepts(first),
                        "order: receive %d, %s, got %s, and receive %d, %s, got the earlier %s",
                        places[later], receipts.get(places[later]), letters.get(later),
                        places[earlier], receipts.get(places[earlier]), first);
            }
        }
    }
}
