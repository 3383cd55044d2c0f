import { defaultPolicies, type FileUse, type Users, type Violation } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createOperations, exampleSubmission } from "../../src/index.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const { submit } = createOperations(defaultPolicies).kyc;
const own = (name: string) => `http://127.0.0.1:3000/files/${name}`;
const body = { ...exampleSubmission.input, frontImageUrl: own("front"), selfieImageUrl: own("none") };

/** The store refuses every upload except `none`, which is not the URL of an upload. */
function world(find: Users["find"] = async () => ({ externalUserId: "usr_1" })) {
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
  return { ports, checked };
}

const scopes = ["kyc:write"] as const;
async function violationsOf(ports: ReturnType<typeof world>["ports"], raw: unknown, idempotencyKey?: string) {
  const call = callOf("platform", { platformId: "plt_1", scopes, idempotencyKey });
  const { details } = await submit.execute(ports, call, raw).catch((error) => error);
  return details.violations.map(
    ({ path, header, rule }: Violation) => `${header ?? `/${path.join("/")}`} ${rule}`,
  );
}

it("reports file violations together with violations of the header and the fields", async () => {
  const { ports, checked } = world();
  const documents = [{ documentType: "SELFIE", fileUrl: own("bill") }, null, { fileUrl: "https://[" }];
  const raw = { ...body, name: "", supportingDocuments: documents };
  const found = await violationsOf(ports, raw, "a b");
  expect(found).toEqual(
    expect.arrayContaining([
      "Idempotency-Key idempotency-key",
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

it("reports all file violations of a valid input", async () => {
  const { ports } = world();
  expect(await violationsOf(ports, body)).toEqual([
    "/selfieImageUrl file-unknown",
    "/frontImageUrl file-purpose",
  ]);
});

it("checks the owner of a file only for a valid member id", async () => {
  const { ports, checked } = world();
  await violationsOf(ports, { ...body, memberId: "" });
  expect(checked).toEqual([["plt_1", ["front"], undefined]]);
  const unknownUser = world(async () => null);
  await violationsOf(unknownUser.ports, body);
  expect(unknownUser.checked).toEqual([["plt_1", ["front"], null]]);
});

it.each([[null], ["text"], [[]], [{ supportingDocuments: "x", frontImageUrl: 7 }]])(
  "checks no files of the invalid body %j",
  async (raw) => {
    const { ports, checked } = world();
    await violationsOf(ports, raw);
    expect(checked).toEqual([]);
  },
);
