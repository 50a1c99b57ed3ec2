// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the warning of requests that are in progress when the FMPL is closed. */
@Timeout(300)
class ForgottenRequestsTest {
    /** Forgets one request, then five; then none, although it did not await all. */
    static final class Forgetful {
        public static void main(String[] none) {
            try (Hayate job = Hayate.init()) {
                try (Fmpl fmpl = Fmpl.init(job)) {
                    fmpl.irecv(Span.of(new byte[8]), 0, 7);
                }
                try (Fmpl fmpl = Fmpl.init(job)) {
                    for (int mai = 0; mai < 4; mai++) {
                        fmpl.irecv(Span.of(new byte[8]), 0, mai);
                    }
                    fmpl.isend(Span.of(new byte[100_000]), 0, 9);
                }
                try (Fmpl fmpl = Fmpl.init(job)) {
                    fmpl.isend(Span.of(new byte[8]), 0, 0); // complete at once
                    fmpl.irecv(Span.of(new byte[8]), 0, 0);
                    fmpl.irecv(Span.of(new byte[8]), 0, 1).cancel();
                }
            }
        }
    }

    @Test
    void should_name_up_to_three_requests_and_tell_how_many_there_are() throws Exception {
        Outcome outcome = Launch.of(Forgetful.class).ranks(1).run().good();
        List<String> warnings = outcome.err().stream().filter(line -> line.contains("Fmpl.close"))
                .map(line -> line.substring(line.indexOf("Fmpl.close"))).toList();
        assertEquals(List.of("Fmpl.close with 1 request in progress, never awaited: receive from"
                + " rank 0 with mai 7; such messages can be lost: await each request before close",
                "Fmpl.close with 5 requests in progress, never awaited: receive from rank 0 with"
                + " mai 0, receive from rank 0 with mai 1, receive from rank 0 with mai 2, ...;"
                + " such messages can be lost: await each request before close"), warnings);
    }
}
