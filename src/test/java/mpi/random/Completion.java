// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.Request;
import mpi.Status;

/** The ways to wait for requests, or to look until they are complete. */
final class Completion {
    /** What is done with the status of a request. */
    interface Done {
        void accept(int index, Status status);
    }

    private Completion() {
    }

    /** Completes all in one of the ways that return their status. */
    static void statuses(Random random, Request[] requests, Done done) {
        int left = requests.length;
        switch (random.nextInt(7)) {
            case 0 -> each(Request.waitAllStatus(requests), done);
            case 1 -> {
                Status[] all = null;
                while (all == null) {
                    all = Request.testAllStatus(requests);
                }
                each(all, done);
            }
            case 2 -> {
                for (; left > 0; left--) {
                    Status one = Request.waitAnyStatus(requests);
                    done.accept(one.getIndex(), one);
                }
            }
            case 3 -> {
                while (left > 0) {
                    Status one = Request.testAnyStatus(requests);
                    if (one != null) {
                        done.accept(one.getIndex(), one);
                        left--;
                    }
                }
            }
            case 4 -> {
                while (left > 0) {
                    left -= some(Request.waitSomeStatus(requests), done);
                }
            }
            case 5 -> {
                while (left > 0) {
                    left -= some(Request.testSomeStatus(requests), done);
                }
            }
            default -> one(random, requests, done);
        }
    }

    private static void each(Status[] statuses, Done done) {
        for (int i = 0; i < statuses.length; i++) {
            done.accept(i, statuses[i]);
        }
    }

    private static int some(Status[] statuses, Done done) {
        for (Status status : statuses) {
            done.accept(status.getIndex(), status);
        }
        return statuses.length;
    }

    /** One after the other, in any order. */
    private static void one(Random random, Request[] requests, Done done) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < requests.length; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        for (int i : order) {
            Status status = null;
            switch (random.nextInt(3)) {
                case 0 -> status = requests[i].waitStatus();
                case 1 -> {
                    while (status == null) {
                        status = requests[i].testStatus();
                    }
                }
                default -> {
                    while (requests[i].getStatus() == null) {
                        Thread.onSpinWait();
                    }
                    status = requests[i].waitStatus();
                }
            }
            done.accept(i, status);
        }
    }

    /** Completes all in one of the ways that return no status. */
    static void all(Random random, Request[] requests) {
        int left = requests.length;
        switch (random.nextInt(6)) {
            case 0 -> Request.waitAll(requests);
            case 1 -> {
                while (!Request.testAll(requests)) {
                    Thread.onSpinWait();
                }
            }
            case 2 -> {
                for (; left > 0; left--) {
                    Request.waitAny(requests);
                }
            }
            case 3 -> {
                while (left > 0) {
                    left -= Request.testAny(requests) >= 0 ? 1 : 0;
                }
            }
            case 4 -> {
                while (left > 0) {
                    left -= Request.waitSome(requests).length;
                }
            }
            default -> {
                while (left > 0) {
                    left -= Request.testSome(requests).length;
                }
            }
        }
    }
}
