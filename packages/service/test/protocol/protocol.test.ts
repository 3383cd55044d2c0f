import { describe, expect, test } from "vitest";
import { configurations, searches, start } from "./configurations.ts";
import { explore } from "./explore.ts";
import { rules } from "./model/rules.ts";
import { sentences } from "./sentences.ts";
import { variants } from "./variants.ts";

/* The deep tier explores every configuration. Here are those of the provider without an order, which are the small ones. */
const unordered = searches.filter(({ nature }) => nature === "unordered");

test.each(unordered)("no interleaving of $name breaks a promise", ({ state, protocol }) => {
  const { states, failure } = explore(state, protocol);
  expect(failure && sentences(failure)).toBeNull();
  expect(states).toBeGreaterThan(5_000);
});

describe("the search finds the promise that breaks if", () => {
  test.each(Object.entries(variants))("%s", (_name, { breaks, configuration, nature, rules: wrong }) => {
    const { state, protocol } = start(configurations[configuration], nature);
    const { failure } = explore(state, { ...protocol, rules: { ...rules, ...wrong } });
    expect(failure?.promise).toBe(breaks);
  });
});
