// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.errors.Errors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a store listens: one host and a port.
 *
 * @param host a name or an address
 * @param port 1 to 65535
 */
public record StoreAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile(
            "(?:\\[([0-9A-Fa-f:.]+(?:%\\w+)?)\\]|([A-Za-z0-9._-]{1,253})):([0-9]{1,5})");
    private static final int PORTS = 65535;

    /** Reads "host:port" or "[IPv6 address]:port"; anything else: an ArgumentException. */
    public static StoreAddress parse(String text) {
        Matcher form = FORM.matcher(Errors.required(text, "the address of the store"));
        int port = form.matches() ? Integer.parseInt(form.group(3)) : 0;
        if (port < 1 || port > PORTS) {
            throw Errors.argument("address of the store \"" + text + "\": expected host:port or"
                    + " [IPv6 address]:port, where the host is a name or address of rank 0's host"
                    + " and the port is 1 to " + PORTS + "; there is no default port");
        }
        return new StoreAddress(form.group(1) != null ? form.group(1) : form.group(2), port);
    }

    /**
     * Asks for the addresses of the host. The JVM remembers a failure for some seconds
     * ({@code networkaddress.cache.negative.ttl}, 10 by default), then asks again.
     */
    InetSocketAddress[] resolve() throws UnknownHostException {
        InetAddress[] all = InetAddress.getAllByName(host);
        InetSocketAddress[] addresses = new InetSocketAddress[all.length];
        for (int i = 0; i < all.length; i++) {
            addresses[i] = new InetSocketAddress(all[i], port);
        }
        return addresses;
    }

    /**
     * Returns the address for rank 0 to listen at. A name that means "this host" to this host only
     * (127.0.1.1 in /etc/hosts) would leave the ranks of other nodes outside.
     */
    InetSocketAddress own() throws UnknownHostException {
        InetSocketAddress[] all = resolve();
        for (InetSocketAddress address : all) {
            if (!address.getAddress().isLoopbackAddress() || isLocal()) {
                return address;
            }
        }
        throw Errors.launch(host + " is " + all[0].getAddress().getHostAddress() + " on this host,"
                + " which no other node can reach: give the address of rank 0's host as a number,"
                + " or localhost for a job on one host", -1);
    }

    private boolean isLocal() {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+")
                || host.equalsIgnoreCase("localhost");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
