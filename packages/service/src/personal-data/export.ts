import { exactlyOneName, externalUserId, toIdentifier, userQuery } from "@cardbridge/domain";
import * as z from "zod";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference, readUser } from "../users/user.ts";
import { type ExportedFile, exportedFiles } from "./exported-files.ts";

/** The files of an export. Each is read when the caller asks for it, so that memory holds one at a time. */
const files = z.custom<AsyncIterable<ExportedFile>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

const exportedUser = z.object({
  externalUserId,
  files,
});

/**
 * Exports what is stored about a user, for a request of the data subject. Only operators may run it: no transport
 * serves it.
 */
export const exportUser = defineOperation({
  id: "users.export",
  kind: "read",
  summary: "Export a user's data",
  description:
    "Exports what is stored about a user: names, submissions, results, history, files, and who read or changed them.",
  documented: false,
  actors: ["operator"],
  scopes: [],
  platform: false,
  reach: "platform",
  idempotent: false,
  binary: true,
  input: userQuery,
  rules: [exactlyOneName],
  output: exportedUser,
  example: {
    input: exampleUserReference,
    output: {
      externalUserId: exampleUserReference.externalUserId,
      files: (async function* () {})(),
    },
  },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  // The entry is committed before the caller gets the files, so an export that fails later has one as well.
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, _call, { platformId, externalUserId, ...names }) {
    const name = externalUserId === undefined ? toIdentifier(names) : { externalUserId };
    const user = await readUser(ports, platformId, name);
    const data = { externalUserId: user.externalUserId, files: exportedFiles(ports, user) };
    return { data, subject: user.externalUserId };
  },
});
