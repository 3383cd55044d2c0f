import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addErase } from "./erase.ts";
import { addImport } from "./import.ts";
import { addRelink } from "./relink.ts";
import { addShow } from "./show.ts";

/** `cardbridge users`: the cardholders of a platform, shown by ids and statuses alone. */
export function addUsers(program: Command, session: Session): void {
  const group = program.command("users").description("the cardholders of a platform");
  for (const add of [addShow, addImport, addRelink, addErase]) add(group, session);
}
