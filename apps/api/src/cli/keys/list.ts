import type { KeyFacts } from "@cardbridge/domain";
import { lineWidth, type Report } from "../report.ts";
import { type Column, table } from "../table.ts";
import { lastUse, stateOf } from "./words.ts";

/** The keys, one a line. */
export function listReport(
  document: { keys: KeyFacts[]; more: boolean },
  platformId: string | undefined,
  now: Date,
): Report {
  const { keys, more } = document;
  if (keys.length === 0) {
    return {
      document,
      text: platformId === undefined ? "There is no key." : `There is no key of ${platformId}.`,
    };
  }
  const columns: Column<KeyFacts>[] = [
    { title: "KEY", value: ({ keyId }) => keyId },
    { title: "BEGINS", value: ({ prefix }) => prefix },
    { title: "NAME", value: ({ name }) => name },
    { title: "STATE", value: (key) => stateOf(key, now) },
    { title: "LAST USED", value: (key) => lastUse(key, now) },
    { title: "SCOPES", value: ({ scopes }) => scopes.join(","), optional: true },
  ];
  const whose: Column<KeyFacts> = { title: "PLATFORM", value: (key) => key.platformId, optional: true };
  const lines = table(keys, platformId === undefined ? [...columns, whose] : columns, lineWidth());
  return { document, text: more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}
