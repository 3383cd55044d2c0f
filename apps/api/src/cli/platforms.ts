import type { Platform } from "@cardbridge/domain";
import type { Command } from "commander";
import { administer, platforms } from "./administer.ts";
import { limitOption } from "./limit.ts";
import { personOf } from "./person.ts";
import { lineWidth, type Report, reports } from "./report.ts";
import { table } from "./table.ts";

/** `cardbridge platforms`: whom the service serves. */
export function addPlatforms(program: Command): void {
  const by = () => personOf(program);
  const group = program.command("platforms").description("the platforms that the service serves");

  reports(
    group.command("create <name>").description("make a platform, and print its id"),
    async (name: string) => {
      const made = await administer(by(), platforms.create, { name });
      return {
        document: made,
        text: made.platformId,
        note: `This is the id of ${made.name}. It has no key yet.`,
      };
    },
  );

  reports(
    group.command("list").description("list the platforms, oldest first").addOption(limitOption(200)),
    async ({ limit }: { limit: number }) => listReport(await administer(by(), platforms.list, { limit })),
  );

  reports(
    group.command("rename <id> <name>").description("give a platform another name; its id stays"),
    async (platformId: string, name: string) => {
      const renamed = await administer(by(), platforms.rename, { platformId, name });
      return { document: renamed, text: `${platformId} is called ${renamed.name} now.` };
    },
  );
}

function listReport(document: { platforms: Platform[]; more: boolean }): Report {
  if (document.platforms.length === 0) return { document, text: "There is no platform." };
  const lines = table(
    document.platforms,
    [
      { title: "PLATFORM", value: ({ platformId }) => platformId },
      { title: "SINCE", value: ({ createdAt }) => createdAt.slice(0, 10) },
      { title: "NAME", value: ({ name }) => name },
    ],
    lineWidth(),
  );
  return { document, text: document.more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}
