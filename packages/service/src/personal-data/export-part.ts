import { userExportPart, userExportPartQuery } from "@cardbridge/domain";
import { forPersons } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { exampleUserReference, readUser } from "../users/user.ts";
import { exportedFiles } from "./exported-files.ts";

/** Reads one file of a user's export, for a purpose. */
export const exportUserPart = defineOperation({
  ...forPersons("ops.evidence"),
  recentSignIn: true,
  id: "users.exportPart",
  kind: "write",
  summary: "Export a part of a user's data",
  description:
    "Reads one file of a user's export, for a request of the data subject. Call again with `next` as `index` until it " +
    "is null.",
  input: userExportPartQuery,
  rules: [],
  output: userExportPart,
  example: {
    input: { ...exampleUserReference, purpose: "person" },
    output: { index: 0, name: "README.txt", content: "", next: 1 },
  },
  errors: ["PERSON_REQUIRED", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, call, { platformId, externalUserId, index }) {
    requirePerson(call);
    const user = await readUser(ports, platformId, { externalUserId });
    for await (const { name, bytes } of exportedFiles(ports, user, index)) {
      const content = Buffer.from(bytes).toString("base64");
      return { data: { index, name, content, next: index + 1 }, subject: externalUserId };
    }
    return { data: { index, name: "", content: "", next: null }, subject: externalUserId };
  },
});
