import { defaultPolicies, type FileUse, type Users, type Violation } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createOperations, exampleSubmission } from "../../src/index.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const { submit } = createOperations(defaultPolicies).kyc;
const own = (name: string) => `http://127.0.0.1:3000/files/${name}`;
const body = { ...exampleSubmission.input, frontImageUrl: own("front"), selfieImageUrl: own("none") };

/** Submits to a store that refuses every upload except `none`, which is not the URL of an upload. */
async function violations(raw: unknown, find: Users["find"] = async () => ({ externalUserId: "usr_1" })) {
  const checked: unknown[] = [];
  const { ports } = fakePorts();
  ports.users.find = find;
  ports.fileUrls.fileIdOf = (url) => {
    if (!url.startsWith(own(""))) return undefined;
    return url === own("none") ? null : url.slice(own("").length);
  };
  ports.files.check = async (platformId, uses, userId) => {
    checked.push([platformId, uses.map(({ fileId }) => fileId), userId]);
    return uses.map(({ path }: FileUse) => ({ path, rule: "file-purpose", message: "" }));
  };
  const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:write"] });
  const { details } = await submit.execute(ports, call, raw).catch((error) => error);
  const found = details.violations.map(({ path, rule }: Violation) => `/${path.join("/")} ${rule}`);
  return { checked, found };
}

it("reports file violations together with those of the fields", async () => {
  const documents = [{ documentType: "SELFIE", fileUrl: own("bill") }, null, { fileUrl: "https://[" }];
  const { checked, found } = await violations({ ...body, name: "", supportingDocuments: documents });
  expect(found).toEqual(
    expect.arrayContaining([
      "/name text-256",
      "/supportingDocuments/0/documentType enum",
      "/supportingDocuments/2/fileUrl http-url",
      "/selfieImageUrl file-unknown",
      "/frontImageUrl file-purpose",
      "/supportingDocuments/0/fileUrl file-purpose",
    ]),
  );
  expect(checked).toEqual([["plt_1", ["front", "bill"], "usr_1"]]);
});

it("checks the owner of a file only for a valid member id", async () => {
  expect((await violations({ ...body, memberId: "" })).checked).toEqual([["plt_1", ["front"], undefined]]);
  const { checked, found } = await violations(body, async () => null);
  expect(checked).toEqual([["plt_1", ["front"], null]]);
  expect(found).toEqual(["/selfieImageUrl file-unknown", "/frontImageUrl file-purpose"]);
});

it.each([[null], ["text"], [[]], [{ supportingDocuments: "x", frontImageUrl: 7 }]])(
  "checks no files of the invalid body %j",
  async (raw) => expect((await violations(raw)).checked).toEqual([]),
);
