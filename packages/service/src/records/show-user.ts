import { exactlyOneName, explainRecord, shownUser, toIdentifier, userQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { readIdentifiers } from "../users/personal-data.ts";
import { exampleUser, exampleUserReference, readUser } from "../users/user.ts";
import { readAttempts } from "./attempts.ts";
import { exampleNext } from "./example.ts";
import { readRecord } from "./record.ts";

// It explains a record, which users do not know, so it stands among the records.
/** Shows a user's ids and statuses. The input has one of the platform's identifiers or the externalUserId. */
export const showUser = defineOperation({
  ...forOperators("ops.users.read"),
  id: "users.show",
  kind: "read",
  summary: "Show a user",
  description:
    "Shows a user's records and erasure state, the first letters of the e-mail, and what to do next with the latest " +
    "record: ids, statuses and words, without personal data.",
  input: userQuery,
  rules: [exactlyOneName],
  output: shownUser,
  example: {
    input: exampleUserReference,
    output: {
      ...exampleUser,
      maskedEmail: "e•••@e•••.com",
      latest: { kycRecordId: "kyc_01jexample0000000000000000", next: exampleNext },
    },
  },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, { platformId }, { externalUserId: id, platformId: _, ...names }) {
    const name = id === undefined ? toIdentifier(names) : { externalUserId: id };
    const user = await readUser(ports, platformId, name);
    const { externalUserId, records } = user;
    const { email } = await readIdentifiers(ports, platformId, externalUserId);
    const latest = await explainLatest(ports, platformId, records[0]?.kycRecordId);
    return { data: { ...user, maskedEmail: email && maskEmail(email), latest }, subject: externalUserId };
  },
});

/** What to do next with a user's latest record; null without one. */
async function explainLatest(ports: Ports, platformId: string, kycRecordId: string | undefined) {
  if (kycRecordId === undefined) return null;
  const record = await readRecord(ports, platformId, kycRecordId);
  const attempts = await readAttempts(ports.database, platformId, kycRecordId);
  return { kycRecordId, next: explainRecord(record, attempts) };
}

/** Enough of an e-mail to recognize the right one: the first letters and the last label, as in a•••@e•••.com. */
function maskEmail(email: string): string {
  const [name = "", host = ""] = email.split("@");
  return `${name.slice(0, 1)}•••@${host.slice(0, 1)}•••${host.slice(host.lastIndexOf("."))}`;
}
