import type { Command } from "commander";
import { reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { addList } from "./list.ts";

/** `cardbridge platforms`: the platforms that the service serves. */
export function addPlatforms(program: Command, session: Session): void {
  const group = program.command("platforms").description("the platforms that the service serves");

  reportAction(
    group.command("create <name>").description("create a platform, and print its id"),
    async (name: string) => {
      const created = await session((run) => run(operations.platforms.create, { name }));
      const note = `This is the id of ${created.name}. It has no key yet.`;
      return { document: created, text: created.platformId, note };
    },
  );

  addList(group, session);

  reportAction(
    group.command("rename <id> <name>").description("give a platform another name; its id stays"),
    async (platformId: string, name: string) => {
      const renamed = await session((run) => run(operations.platforms.rename, { platformId, name }));
      return { document: renamed, text: `${platformId} is called ${renamed.name} now.` };
    },
  );
}
