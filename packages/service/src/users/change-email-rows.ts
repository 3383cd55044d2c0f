import { type AuditOrigin, decideEmailChange, Failure, type User, type UserNames } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { readEmailOwner } from "./email-owner.ts";
import { lockUsers } from "./lock.ts";
import { auditMove, moveEmail } from "./move-email.ts";
import { retryOnIdentityRace } from "./retry-on-identity-race.ts";

interface EmailChange extends UserNames {
  platformId: string;
  by: AuditOrigin;
}

/** Changes the e-mail of the user with a member id in one transaction; see the port for the contract. */
export function changeEmail(
  database: Database,
  keys: PersonalDataKeys,
  { platformId, memberId, email, by }: EmailChange,
): Promise<User | null> {
  const names = {
    memberIdIndex: blindIndex(keys, platformId, { memberId }),
    emailIndex: blindIndex(keys, platformId, { email }),
  };
  return retryOnIdentityRace(() =>
    database.asPlatform<User | null>(platformId, async (tx) => {
      const { user, emailOwner } = await lockUsers(tx, platformId, names);
      if (!user) return null;
      const decision = decideEmailChange({
        user: { hasEmail: user.email === "same", erasureRequested: user.erasureRequested },
        emailOwner: emailOwner && (await readEmailOwner(tx, platformId, emailOwner)),
      });
      if (decision instanceof Failure) throw decision;
      if (decision === "change")
        await moveEmail(tx, keys, { platformId, email, from: emailOwner?.id, to: user.id });
      const audited = auditMove(tx, platformId, by, [emailOwner?.id, user.id]);
      return pipelineCommit(audited, () => ({ externalUserId: user.id }));
    }),
  );
}
