import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operatorScope } from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import { createTestDatabase } from "@cardbridge/store/testing";
import sharp from "sharp";
import { expect, inject, it, onTestFinished } from "vitest";
import { sandboxCredentials } from "../../../src/config/development-secrets.ts";
import { startIssuer } from "../../support/issuer.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { samplePdf } from "../../support/samples.ts";
import { startService } from "../../support/service-process.ts";
import { newSubmission } from "../../support/test-service.ts";
import { trpcClient } from "../../support/trpc.ts";

it("the built service renders a photo of 12 megapixels and a PDF", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-evidence-"));
  const [issuer, database] = [await startIssuer(), await createTestDatabase(inject("postgres"))];
  const sandbox = await startSandbox({ dataFolder: folder, ...sandboxCredentials });
  const service = await startService({
    ...issuer.env,
    FILES_DIR: join(folder, "files"),
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: sandbox.url,
    PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
    PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
  });
  onTestFinished(async () => {
    await service.end("SIGTERM");
    await Promise.all([sandbox.close(), issuer.stop(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  });
  const apiKey = await makeInternalKey(database.adminUrl, [
    ...operatorScope.options,
    "files:write",
    "kyc:write",
  ]);
  const asPerson = async () => {
    const auth_time = Math.floor(Date.now() / 1_000);
    return trpcClient({
      url: service.url,
      apiKey,
      person: await issuer.token({ roles: ["compliance", "administrator"], auth_time, name: "Ada Byron" }),
    });
  };
  const person = await asPerson();
  const { platformId } = await person.platforms.create.mutate({ name: "One" });
  const machine = trpcClient({
    url: service.url,
    apiKey: await makeInternalKey(database.adminUrl, ["files:write", "kyc:write"]),
    platform: platformId,
  });
  const upload = async (
    purpose: "document_front" | "supporting_document",
    bytes: Uint8Array<ArrayBuffer>,
  ) => {
    const { uploadUrl } = await machine.files.createUploadUrl.mutate({ purpose });
    return (await (await fetch(uploadUrl, { method: "PUT", body: bytes })).json()) as {
      fileId: string;
      url: string;
    };
  };
  const noise = { type: "gaussian" as const, mean: 128, sigma: 30 };
  const photo = await sharp({
    create: { width: 4_000, height: 3_000, channels: 3, noise, background: "grey" },
  })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const front = await upload("document_front", new Uint8Array(photo));
  const proof = await upload("supporting_document", new Uint8Array(samplePdf));
  const { kycRecordId } = await machine.kyc.submit.mutate({
    ...newSubmission("pending_approval"),
    frontImageUrl: front.url,
    supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: proof.url }],
  });
  const { openingId } = await person.records.submission.mutate({ kycRecordId, purpose: "review" });
  const show = (fileId: string) => person.records.submissionFile.query({ kycRecordId, openingId, fileId });
  const shown = await show(front.fileId);
  expect(await sharp(Buffer.from(shown.image, "base64")).metadata()).toMatchObject({
    format: "webp",
    width: 1_536,
    height: 2_048,
  });
  const page = await show(proof.fileId);
  expect(Math.max(page.width, page.height)).toBe(2_048);
  expect(service.output()).not.toContain("Ada Byron");
});
