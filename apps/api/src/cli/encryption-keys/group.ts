import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addRewrap } from "./rewrap.ts";
import { addStatus } from "./status.ts";

/** `cardbridge encryption-keys`: the versions of KEY_RING, which wrap users' data keys. */
export function addEncryptionKeys(program: Command, session: Session): void {
  const group = program
    .command("encryption-keys")
    .description("the versions of KEY_RING, and what is encrypted under each");
  for (const add of [addStatus, addRewrap]) add(group, session);
}
