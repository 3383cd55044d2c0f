import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addCreate } from "./create.ts";
import { addList } from "./list.ts";
import { addRevoke } from "./revoke.ts";
import { addRotate } from "./rotate.ts";

/** `cardbridge keys`: API keys. A key is shown once, when it is created, and is never an argument. */
export function addKeys(program: Command, session: Session): void {
  const group = program.command("keys").description("the API keys of platforms and of internal apps");
  for (const add of [addCreate, addList, addRotate, addRevoke]) add(group, session);
}
