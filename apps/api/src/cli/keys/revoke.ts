import type { Command } from "commander";
import { reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatName } from "./format.ts";
import { keyIdOf } from "./options.ts";

export function addRevoke(group: Command, session: Session): void {
  const command = group.command("revoke <id>").description("revoke a key permanently");
  reportAction(command, async (id: string) => {
    const keyId = keyIdOf(id);
    const revoked = await session((run) => run(operations.keys.revoke, { keyId }));
    const text = `${formatName(revoked)} is revoked: every further call with it is refused.`;
    return { document: revoked, text };
  });
}
