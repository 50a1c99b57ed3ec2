// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Messages of one thread of each rank on one communicator, drawn so that no legal order of events
 * leaves a receive or a send without its partner: each rank's receives are as many as its messages,
 * and those that accept fewer messages are posted first.
 */
final class Lane {
    /** The tags of one lane, from its first one on; messages that are received have these. */
    static final int TAGS = 6;
    private static final int RECEIVED_TAGS = 3;
    private static final int[] BORDERS = {8, 48, 56, 216, 1024, 4096, 8192, 16384, 65536, 131072};
    private static final int MOST = 4 << 20;
    private static final int SLACK = 13;

    final Place place;
    final Element element;
    /** Each rank posts all receives before it sends, so that sends may wait; else none waits. */
    final boolean posted;
    /** All receives are posted before any rank sends. */
    final boolean ready;
    /** Receives may accept all tags. */
    final boolean anyTag;
    final List<Letter> letters = new ArrayList<>();
    /** By rank, in the order of the posts. */
    final List<List<Receipt>> receipts = new ArrayList<>();
    final Cancels cancels;

    private final Random random;
    private final int firstTag;

    /** closed: no message of another round can come. alone: no other lane is on its place. */
    Lane(Random random, Place place, int size, int firstTag, boolean closed, boolean alone) {
        this.random = random;
        this.place = place;
        this.firstTag = firstTag;
        anyTag = closed && alone;
        element = Seeds.oneOf(random, Element.values());
        posted = random.nextBoolean();
        ready = posted && anyTag && random.nextBoolean();
        drawLetters(size);
        for (int rank = 0; rank < size; rank++) {
            receipts.add(drawReceipts(lettersTo(rank)));
        }
        for (Letter letter : letters) {
            letter.draw(random, element, posted, closed, ready);
        }
        cancels = new Cancels(random, place, size, firstTag + RECEIVED_TAGS);
    }

    private void drawLetters(int size) {
        int kind = random.nextInt(100);
        int most = kind < 80 ? 20_000 : kind < 96 ? 200_000 : MOST;
        int messages = 1 + random.nextInt(kind < 80 ? 12 * size : kind < 96 ? 3 * size : size);
        for (int i = 0; i < messages; i++) {
            int from = random.nextInt(size);
            int[] targets = place.targets(from);
            if (targets.length > 0) {
                int to = targets[random.nextInt(targets.length)];
                int tag = firstTag + random.nextInt(RECEIVED_TAGS);
                letters.add(new Letter(letters.size(), from, to, tag, bytes(most) / element.bytes));
            }
        }
    }

    private int bytes(int most) {
        int kind = random.nextInt(10);
        int bytes = kind < 4 ? random.nextInt(64)
                : kind < 7 ? BORDERS[random.nextInt(BORDERS.length)] + 8 * (random.nextInt(3) - 1)
                : (int) Math.pow(most, random.nextDouble());
        return Math.min(bytes, most);
    }

    private List<Letter> lettersTo(int rank) {
        return letters.stream().filter(letter -> letter.to == rank).toList();
    }

    List<Letter> lettersFrom(int rank) {
        return letters.stream().filter(letter -> letter.from == rank).toList();
    }

    private List<Receipt> drawReceipts(List<Letter> incoming) {
        List<Receipt> result = switch (random.nextInt(5)) {
            case 0 -> exact(incoming);
            case 1 -> anyTag ? tagsOfOneSource(incoming) : exact(incoming);
            case 2 -> sources(incoming);
            case 3 -> anyTag ? incoming.stream().map(letter -> new Receipt(Receipt.ANY,
                    Receipt.ANY)).toList() : sources(incoming);
            default -> nested(incoming);
        };
        int started = posted ? result.size() : random.nextInt(result.size() + 1);
        for (int i = 0; i < result.size(); i++) {
            Receipt receipt = result.get(i);
            int longest = incoming.stream().filter(receipt::accepts)
                    .mapToInt(letter -> letter.count).max().orElse(0);
            receipt.draw(random, i >= started,
                    longest + (random.nextBoolean() ? 0 : random.nextInt(SLACK)));
        }
        return result;
    }

    private List<Receipt> exact(List<Letter> incoming) {
        List<Receipt> result = new ArrayList<>(incoming.stream()
                .map(letter -> new Receipt(letter.from, letter.tag)).toList());
        Collections.shuffle(result, random);
        return result;
    }

    /** From one source at a time, with its tag or any, if all find one. */
    private List<Receipt> tagsOfOneSource(List<Letter> incoming) {
        List<Receipt> result = new ArrayList<>();
        for (int source : incoming.stream().mapToInt(letter -> letter.from).distinct().toArray()) {
            List<Letter> some = incoming.stream().filter(one -> one.from == source).toList();
            List<Receipt> mixed = exact(some).stream().map(one -> Seeds.percent(random, 40)
                    ? new Receipt(source, Receipt.ANY) : one).toList();
            result.addAll(Rules.allMatch(some, mixed) ? mixed : some.stream()
                    .map(one -> new Receipt(source, Receipt.ANY)).toList());
        }
        return result;
    }

    /** For each tag, all from their sources, or all from any. */
    private List<Receipt> sources(List<Letter> incoming) {
        boolean[] any = new boolean[RECEIVED_TAGS];
        IntStream.range(0, RECEIVED_TAGS).forEach(tag -> any[tag] = random.nextBoolean());
        List<Receipt> result = new ArrayList<>();
        for (Letter letter : incoming) {
            result.add(new Receipt(any[letter.tag - firstTag] ? Receipt.ANY : letter.from,
                    letter.tag));
        }
        Collections.shuffle(result, random);
        return result;
    }

    /** First those with source and tag, then those with one of them, then the others. */
    private List<Receipt> nested(List<Letter> incoming) {
        List<Receipt> exact = new ArrayList<>();
        List<Receipt> wider = new ArrayList<>();
        List<Receipt> widest = new ArrayList<>();
        for (Letter letter : incoming) {
            switch (random.nextInt(anyTag ? 3 : 2)) {
                case 0 -> exact.add(new Receipt(letter.from, letter.tag));
                case 1 -> wider.add(anyTag ? new Receipt(letter.from, Receipt.ANY)
                        : new Receipt(Receipt.ANY, letter.tag));
                default -> widest.add(new Receipt(Receipt.ANY, Receipt.ANY));
            }
        }
        Collections.shuffle(exact, random);
        Collections.shuffle(wider, random);
        exact.addAll(wider);
        exact.addAll(widest);
        return exact;
    }

    int operations() {
        return 2 * letters.size() + cancels.operations();
    }
}
