// SPDX-License-Identifier: Apache-2.0
package io.hayate.site;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** Tells which links of a site lead nowhere, and which pages have no way back or need a network. */
final class Links {
    private final Path site;
    private final Map<Path, Set<String>> names = new HashMap<>();
    private final Map<Path, List<String>> links = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private Links(Path site) throws IOException {
        this.site = site;
        try (Stream<Path> files = Files.walk(site)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".html")).toList()) {
                read(file);
            }
        }
    }

    /**
     * @param site its folder
     * @return a line for each problem
     */
    static List<String> problems(Path site) throws IOException {
        Links all = new Links(site);
        all.links.forEach((page, targets) -> {
            targets.forEach(target -> all.check(page, target));
            Path home = page.getParent().relativize(site.resolve("index.html"));
            if (!targets.contains(home.toString()) && !page.equals(site.resolve("index.html"))) {
                all.problems.add(site.relativize(page) + ": no link to the first page");
            }
        });
        return all.problems.stream().sorted().distinct().toList();
    }

    private void read(Path file) throws IOException {
        Element page = Jsoup.parse(file.toFile());
        page.select("[src^=http], link[href^=http]").forEach(other -> problems.add(
                site.relativize(file) + ": loads from elsewhere: " + other));
        Set<String> found = new HashSet<>(page.select("[id]").eachAttr("id"));
        found.addAll(page.select("a[name]").eachAttr("name"));
        names.put(file, found);
        List<String> targets = new ArrayList<>(page.select("[href]").eachAttr("href"));
        targets.addAll(page.select("[src]").eachAttr("src"));
        links.put(file, targets);
    }

    private void check(Path page, String link) {
        String say = site.relativize(page) + ": " + link;
        if (link.matches("(https?|mailto|javascript):.*")) {
            return;
        }
        URI target = URI.create(link.replace(" ", "%20"));
        String path = target.getPath();
        Path file = path == null || path.isEmpty() ? page : page.resolveSibling(path).normalize();
        String name = target.getFragment();
        if (!Files.isRegularFile(file)) {
            problems.add(say + ": no such page");
        } else if (name != null && names.containsKey(file) && !names.get(file).contains(name)) {
            problems.add(say + ": no such place there");
        }
    }
}
