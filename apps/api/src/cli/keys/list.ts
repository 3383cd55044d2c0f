import type { KeyFacts } from "@cardbridge/domain";
import type { Command } from "commander";
import { limitOption } from "../limit-option.ts";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { type Column, formatTable } from "../table.ts";
import { formatLastUse, formatState } from "./format.ts";
import { internalOption, type Owner, platformIdOf, platformOption } from "./options.ts";

export function addList(group: Command, session: Session): void {
  const command = group
    .command("list")
    .description("list the keys by platform and name, the newest first")
    .addOption(platformOption())
    .addOption(internalOption())
    .addOption(limitOption(200));
  reportAction(command, async ({ limit, ...owner }: Owner & { limit: number }) => {
    const platformId = platformIdOf(owner);
    const page = await session((run) => run(operations.keys.list, { platformId, limit }));
    return listReport(page, platformId, new Date());
  });
}

/** The keys, one a line; with their platforms unless `platformId` names the one. */
export function listReport(
  document: { keys: KeyFacts[]; more: boolean },
  platformId: string | undefined,
  now: Date,
): Report {
  const { keys, more } = document;
  if (keys.length === 0) {
    const owner = platformId === undefined ? "" : ` of ${platformId}`;
    return { document, text: `There is no key${owner}.` };
  }
  const columns: Column<KeyFacts>[] = [
    { title: "KEY", value: ({ keyId }) => keyId },
    { title: "BEGINS", value: ({ prefix }) => prefix },
    { title: "NAME", value: ({ name }) => name },
    { title: "STATE", value: (key) => formatState(key, now) },
    { title: "LAST USED", value: (key) => formatLastUse(key, now) },
    { title: "SCOPES", value: ({ scopes }) => scopes.join(","), optional: true },
  ];
  const platform: Column<KeyFacts> = { title: "PLATFORM", value: (key) => key.platformId, optional: true };
  const lines = formatTable(keys, platformId === undefined ? [...columns, platform] : columns, lineWidth());
  return { document, text: more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}
