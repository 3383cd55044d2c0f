import { type OpenedUser, openUsers, type UserRow } from "@cardbridge/service/database/testing";
import { encryptionKeys } from "../../../../src/boot/options.ts";
import { readEnv } from "../../../../src/config/env.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type LoggedEmail, readLoggedEmails } from "./email-log.ts";
import type { Facts } from "./facts.ts";

/**
 * I9: an e-mail has one user at any time, an accepted move of an e-mail is stored and audited, and a record stays with
 * its user.
 */
export async function wrongEmails(cluster: Cluster, facts: Facts): Promise<string[]> {
  const users = await readUsers(cluster);
  const log = await readLoggedEmails(cluster);
  return [
    ...shared(log),
    ...(await unaudited(cluster)),
    ...users.filter(({ isIndexed }) => !isIndexed).map(({ id }) => `I9: ${id} is found by other names`),
    ...lostMoves(cluster, users),
    ...strangers(cluster, facts, users),
  ];
}

/** E-mails that a user got while another user had them. */
function shared(log: readonly LoggedEmail[]): string[] {
  const emails = new Map<string, string>();
  const holders = new Map<string, string>();
  return log.flatMap(({ user_id, email }) => {
    const previous = emails.get(user_id);
    if (previous !== undefined && holders.get(previous) === user_id) holders.delete(previous);
    emails.delete(user_id);
    if (email === null) return [];
    const holder = holders.get(email);
    emails.set(user_id, email);
    holders.set(email, user_id);
    return holder === undefined ? [] : [`I9: ${user_id} got the e-mail that ${holder} has`];
  });
}

/** Users whose e-mail changed more often than the audit records. A repeated call adds an entry without a change. */
async function unaudited({ query }: Cluster): Promise<string[]> {
  const users = await query<{ user_id: string }>(
    `select user_id from logged_emails l where changed group by user_id having count(*) >
       (select count(*) from audit_entries e where e.subject = l.user_id and e.outcome = 'done')`,
  );
  return users.map(({ user_id }) => `I9: a move of the e-mail of ${user_id} is not audited`);
}

/** Users who do not have the e-mail that the service accepted last. */
function lostMoves({ accepted }: Cluster, users: readonly OpenedUser[]): string[] {
  const memberIds = new Map<string, string>();
  for (const { platformId, memberId, email } of accepted) {
    for (const [name, holder] of memberIds) {
      if (holder === memberId && name.startsWith(`${platformId} `)) memberIds.delete(name);
    }
    memberIds.set(`${platformId} ${email}`, memberId);
  }
  const stored = new Map(users.map((user) => [`${user.platformId} ${user.email}`, user.memberId]));
  return [...memberIds]
    .filter(([name, memberId]) => stored.get(name) !== memberId)
    .map(([name, memberId]) => `I9: ${name} belongs to ${stored.get(name)} instead of ${memberId}`);
}

/** Records that belong to a user other than the one that submitted them. */
function strangers({ replies }: Cluster, { records }: Facts, users: readonly OpenedUser[]): string[] {
  const memberIds = new Map(users.map(({ id, memberId }) => [id, memberId]));
  const owners = new Map(records.map(({ id, user_id }) => [id, memberIds.get(user_id)]));
  return replies.flatMap(({ body: { kycRecordId }, submission: { memberId } }) => {
    const owner = kycRecordId === undefined ? undefined : owners.get(kycRecordId);
    return owner === undefined || owner === memberId ? [] : [`I9: ${kycRecordId} belongs to ${owner}`];
  });
}

async function readUsers({ openDatabase, query }: Cluster): Promise<OpenedUser[]> {
  const rows = await query<UserRow>("select * from users where erased_at is null");
  const database = openDatabase();
  try {
    return await openUsers(database, encryptionKeys(readEnv({})), rows);
  } finally {
    await database.close();
  }
}
