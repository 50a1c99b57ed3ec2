// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.SetupDoor;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The communicators of one FMPL that this rank is a member of. */
final class Communicators {
    private final Fmpl fmpl;
    private final FmplAnchor anchor;
    private final Communicator world;
    private final Set<Communicator> open = ConcurrentHashMap.newKeySet();

    Communicators(Fmpl fmpl, FmplAnchor anchor) {
        this.fmpl = fmpl;
        this.anchor = anchor;
        world = new Communicator(fmpl, 0);
        open.add(world);
    }

    Communicator world() {
        return world;
    }

    Communicator create(boolean member) {
        int number = (int) VirtualThreads.await(() -> Errors.check(
                SetupDoor.commCreate(anchor.fmpl(), member ? 1 : 0)));
        try {
            Communicator made = new Communicator(fmpl, number);
            if (made.isMember()) {
                open.add(made);
            }
            return made;
        } catch (RuntimeException | Error e) {
            if (number != SetupDoor.NOT_A_MEMBER) {
                SetupDoor.commFree(anchor.fmpl(), number);
            }
            throw e;
        }
    }

    /** With the FMPL all of them are gone natively. */
    void free(Communicator comm) {
        if (!fmpl.isClosed()) {
            Errors.check(SetupDoor.commFree(anchor.fmpl(), comm.number()));
            Reference.reachabilityFence(anchor);
        }
        open.remove(comm);
    }

    /** Whether a collective uses some of the heap's memory. */
    boolean uses(long start, long bytes) {
        for (Communicator comm : open) {
            if (comm.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
