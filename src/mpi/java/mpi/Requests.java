// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** Waits and tests for several requests. A request that is null in the array counts as null. */
final class Requests {
    private static final int LOOKS = 64; // before the thread gives its core to others

    private Requests() {
    }

    private static boolean isActive(Request request) {
        return request != null && request.isActive();
    }

    private static Request[] required(Request[] requests) {
        if (requests == null) {
            throw new MPIException(ErrorClass.REQUEST, "the array of requests is null");
        }
        return requests;
    }

    /** Returns the status of each; null: at least one is not complete, of a look. */
    static Status[] all(Request[] requests, boolean waits) {
        Status[] result = new Status[required(requests).length];
        if (!waits && !areComplete(requests)) {
            return null;
        }
        RuntimeException failure =
                VirtualThreads.isCurrent() ? null : awaitMessages(requests, result);
        for (int i = 0; i < requests.length; i++) {
            if (result[i] != null) {
                continue;
            }
            try {
                result[i] = isActive(requests[i]) ? requests[i].finish(true) : new Status();
            } catch (MPIException why) {
                failure = failure == null ? why : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    /** Waits for those that are messages in one native call. Returns the first failure, or null. */
    private static RuntimeException awaitMessages(Request[] requests, Status[] result) {
        long[] names = new long[requests.length];
        Engine engine = null;
        for (int i = 0; i < names.length; i++) {
            Request one = requests[i];
            if (one != null && one.isMessage() && !one.isObjects() && !one.listed) {
                names[i] = one.name();
                engine = one.engine;
                one.listed = true;
            }
        }
        for (Request one : requests) {
            if (one != null) {
                one.listed = false;
            }
        }
        RuntimeException failure = null;
        long[] found = new long[engine == null ? 0 : 3 * names.length];
        for (int done = 0; engine != null && done < names.length;) {
            int first = done;
            done = TaggedBinding.awaitAll(engine.tags.handle(), names, first, found);
            Reference.reachabilityFence(engine);
            for (int i = done - 1; i >= first; i--) { // one that has failed is the last one
                if (names[i] == 0) {
                    continue;
                }
                try {
                    result[i] = requests[i].taken(found, 3 * i).at(Constants.UNDEFINED);
                } catch (RuntimeException why) {
                    result[i] = new Status();
                    failure = failure == null ? why : failure;
                }
            }
        }
        return failure;
    }

    /** A look that leaves all requests as they are unless all are complete. */
    private static boolean areComplete(Request[] requests) {
        for (Request request : requests) {
            if (isActive(request) && request.getStatus() == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the status of one; null: none is complete, of a look. */
    static Status any(Request[] requests, boolean waits) {
        boolean messagesOnly = true;
        boolean active = false;
        for (int i = 0; i < required(requests).length; i++) {
            if (!isActive(requests[i])) {
                continue;
            }
            active = true;
            if (!requests[i].actual().isMessage()) {
                Status found = requests[i].finish(false);
                if (found != null) {
                    return found.at(i);
                }
                messagesOnly = false;
            }
        }
        if (!active) {
            return new Status();
        }
        if (waits && VirtualThreads.isCurrent()) {
            return parked(requests);
        }
        return messagesOnly ? anyMessage(requests, waits) : anyOfAll(requests, waits);
    }

    private static Status parked(Request[] requests) {
        Status[] found = {null};
        Engine.get().park(() -> (found[0] = any(requests, false)) != null);
        return found[0];
    }

    /** Native code waits for all at once. */
    private static Status anyMessage(Request[] requests, boolean waits) {
        long[] names = new long[requests.length];
        Engine engine = null;
        for (int i = 0; i < names.length; i++) {
            if (isActive(requests[i])) {
                Request actual = requests[i].actual();
                if (actual.isObjects()) {
                    return anyOfAll(requests, waits);
                }
                names[i] = actual.name();
                engine = actual.engine;
            }
        }
        long[] found = new long[3];
        int index = TaggedBinding.awaitAny(engine.tags.handle(), names, !waits, found);
        Reference.reachabilityFence(engine);
        if (index < -1) {
            throw new MPIException(ErrorClass.NO_MEM,
                    "no memory to wait for " + names.length + " requests");
        }
        return index < 0 ? null : requests[index].taken(found, 0).at(index);
    }

    /** Looks at one after the other. */
    private static Status anyOfAll(Request[] requests, boolean waits) {
        for (int looks = 1;; looks++) {
            for (int i = 0; i < requests.length; i++) {
                Status found = isActive(requests[i]) ? requests[i].finish(false) : null;
                if (found != null) {
                    return found.at(i);
                }
            }
            if (!waits) {
                return null;
            }
            if (looks % LOOKS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Returns the status of those that are complete; null: all requests are null. */
    static Status[] some(Request[] requests, boolean waits) {
        List<Status> found = new ArrayList<>();
        Status first = any(requests, waits);
        if (first != null && first.index == Constants.UNDEFINED) {
            return null;
        }
        while (first != null && first.index != Constants.UNDEFINED) {
            found.add(first);
            first = any(requests, false);
        }
        return found.toArray(Status[]::new);
    }

    static int[] places(Status[] some) {
        if (some == null) {
            return null;
        }
        int[] places = new int[some.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = some[i].index;
        }
        return places;
    }
}
