// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import mpi.Request;

/** A lane as one rank runs it: in each pass it sends and receives all, and checks who got what. */
final class LaneRun {
    private final Lane lane;
    private final int rank;
    private final long seed;
    private final List<Letter> outgoing;
    private final List<Letter> incoming;
    private final List<Receipt> receipts;
    private final List<Request> sends = new ArrayList<>();
    private final List<Request> posts = new ArrayList<>();
    private final List<Receipt> open = new ArrayList<>();
    private long digest;

    LaneRun(Lane lane, int rank, long seed) {
        this.lane = lane;
        this.rank = rank;
        this.seed = seed;
        outgoing = lane.lettersFrom(rank);
        incoming = lane.letters.stream().filter(letter -> letter.to == rank).toList();
        receipts = lane.receipts.get(rank);
    }

    /** What has come, in any order. */
    long digest() {
        return digest;
    }

    void pass(int pass) {
        Random random = Seeds.random(seed, pass, rank);
        outgoing.forEach(letter -> letter.prepare(lane.element, data(letter, pass)));
        receipts.forEach(receipt -> receipt.prepare(lane.element));
        sends.clear();
        posts.clear();
        open.clear();
        lane.cancels.post(rank);
        if (lane.posted) {
            receipts.forEach(this::post);
            if (lane.ready) {
                lane.place.comm.barrier();
            }
            outgoing.forEach(this::send);
        } else {
            startAll(random);
            receipts.subList(open.size(), receipts.size())
                    .forEach(receipt -> receipt.receive(lane.place, lane.element));
        }
        finish(random);
        check(pass);
        lane.cancels.cancel(random);
        if (lane.anyTag && lane.cancels.retracts()) {
            lane.place.comm.barrier(); // no receive would take what is retracted
        }
        lane.cancels.retract(rank, Seeds.mix(seed, pass));
    }

    void free() {
        outgoing.forEach(Letter::free);
        receipts.forEach(Receipt::free);
    }

    private byte[] data(Letter letter, int pass) {
        return lane.element.content(Seeds.mix(seed + pass, letter.number), letter.count);
    }

    private void post(Receipt receipt) {
        posts.add(receipt.post(lane.place));
        open.add(receipt);
    }

    private void send(Letter letter) {
        Request request = letter.send(lane.place);
        if (request != null) {
            sends.add(request);
        }
    }

    /** Starts sends and receives in turn, and leaves the receives that block. */
    private void startAll(Random random) {
        int sent = 0;
        int most = (int) receipts.stream()
                .filter(receipt -> receipt.form.ordinal() < Receipt.Form.BLOCKING.ordinal())
                .count();
        while (sent < outgoing.size() || open.size() < most) {
            if (sent == outgoing.size() || open.size() < most && random.nextBoolean()) {
                post(receipts.get(open.size()));
            } else {
                send(outgoing.get(sent++));
            }
        }
    }

    private void finish(Random random) {
        if (random.nextBoolean()) {
            Request[] all = new Request[posts.size() + sends.size()];
            System.arraycopy(posts.toArray(), 0, all, 0, posts.size());
            System.arraycopy(sends.toArray(), 0, all, posts.size(), sends.size());
            Completion.statuses(random, all, (i, status) -> {
                if (i < open.size()) {
                    open.get(i).arrived(lane.place, lane.element, status);
                }
            });
            return;
        }
        Completion.statuses(random, posts.toArray(Request[]::new),
                (i, status) -> open.get(i).arrived(lane.place, lane.element, status));
        Completion.all(random, sends.toArray(Request[]::new));
    }

    /**
     * Finds the message of each receive by its data. Of messages that look the same, the earlier
     * one is that of the earlier receive: both receives accept both.
     */
    private void check(int pass) {
        int[] places = new int[incoming.size()];
        Arrays.fill(places, -1);
        for (int place = 0; place < receipts.size(); place++) {
            Receipt receipt = receipts.get(place);
            int found = 0;
            while (found < places.length && (places[found] >= 0 || !receipt.got(
                    incoming.get(found), data(incoming.get(found), pass)))) {
                found++;
            }
            Trouble.unless(found < places.length, "receive %d: %s of %s, which is none of %s",
                    place, receipt, lane.element, incoming);
            places[found] = place;
            CRC32 sum = new CRC32();
            sum.update(receipt.data());
            digest += Seeds.mix(incoming.get(found).number, sum.getValue());
        }
        Rules.check(incoming, places, receipts);
    }

    @Override
    public String toString() {
        return "on the communicator " + lane.place + ", " + lane.element
                + (lane.ready ? ", ready" : lane.posted ? ", posted first" : ", sent first");
    }
}
