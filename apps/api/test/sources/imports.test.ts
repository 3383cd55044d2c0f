import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { readSources, type Source } from "../support/sources.ts";

/** No file and no folder imports itself through other files, in any package or app. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Nodes of files, or of the parts that `partOf` puts files into. */
function graphOf(sources: readonly Source[], partOf = (path: string) => path): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { path, files } of sources) {
    const others = files.map(partOf).filter((part) => part !== partOf(path));
    graph.set(partOf(path), new Set([...(graph.get(partOf(path)) ?? []), ...others]));
  }
  return graph;
}

/** A file's folder. A file directly in `src/` is its own part: index.ts or main.ts imports every folder. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === "." ? path : folder;
}

function reachedFrom(start: string, graph: Graph): Set<string> {
  const reached = new Set<string>();
  const visit = (node: string) => {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(start);
  return reached;
}

/** Every node of an import cycle, with its imports within the cycle. */
function circlesIn(graph: Graph): Record<string, string[]> {
  const inCircle = [...graph.keys()].filter((node) => reachedFrom(node, graph).has(node));
  const next = (node: string) => [...(graph.get(node) ?? [])].filter((one) => inCircle.includes(one));
  return Object.fromEntries(inCircle.map((node) => [node, next(node)]));
}

const sources = await readSources();
const packages = [...new Set(sources.map((source) => source.package))];

describe.each(packages)("%s has no import cycle", (name) => {
  const own = sources.filter((source) => source.package === name);

  it("between files", () => {
    expect(circlesIn(graphOf(own))).toEqual({});
  });

  it("between folders", () => {
    expect(
      circlesIn(graphOf(own, folderOf)),
      "Move the shared code to a module that imports neither.",
    ).toEqual({});
  });
});

it("finds a cycle of files and of folders", () => {
  const source = (path: string, ...files: string[]): Source => ({
    ...{ package: "", path, packages: [], files },
    loads: { packages: [], files },
  });
  const ring = [source("a/one.ts", "b/two.ts"), source("b/two.ts", "c.ts"), source("c.ts", "a/other.ts")];
  expect(circlesIn(graphOf(ring))).toEqual({});
  expect(circlesIn(graphOf(ring, folderOf))).toEqual({ a: ["b"], b: ["c.ts"], "c.ts": ["a"] });
  expect(circlesIn(graphOf([source("a.ts", "b.ts"), source("b.ts", "a.ts")]))).toEqual({
    "a.ts": ["b.ts"],
    "b.ts": ["a.ts"],
  });
});
