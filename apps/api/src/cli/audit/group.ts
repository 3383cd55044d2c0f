import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addList } from "./list.ts";
import { addVerify } from "./verify.ts";

/** `cardbridge audit`: the calls that the audit of a platform recorded, and whether an entry was changed since. */
export function addAudit(program: Command, session: Session): void {
  const group = program.command("audit").description("show and verify the audit of a platform");
  for (const add of [addList, addVerify]) add(group, session);
}
