import {
  defaultPolicies,
  type FilePurpose,
  filePurpose,
  type Policies,
  type ProviderReply,
} from "@cardbridge/domain";
import type { Ports } from "@cardbridge/service";
import { noLookupCache, openDatabase, putPlatform, putUser } from "@cardbridge/service/database";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { inject } from "vitest";
import { encryptionKeys } from "../../src/boot/options.ts";
import { createPorts, ids } from "../../src/boot/ports.ts";
import { readEnv } from "../../src/config/env.ts";
import { fakePorts, fileUrls } from "../support/fakes.ts";
import type { Uploads } from "./submissions.ts";

/** The platform of the submissions, and its ports. `answerWith` sets the provider's next answer. */
export interface World {
  platformId: string;
  ports: Ports;
  uploads: Uploads;
  answerWith(answer: ProviderReply): void;
  close(): Promise<void>;
}

export const ownOrigin = "http://127.0.0.1:3000";
export const policiesOf = (hongKong: Policies["hongKong"]): Policies => ({
  ...defaultPolicies,
  hongKong,
  ownOrigin,
});

const platformId = "plt_1";
const noFiles = [`${ownOrigin}/files/${ids.fileId()}`, `${ownOrigin}/files/x`, `${ownOrigin}/other`];

/** The real database behind the ports, with uploads and an imported user. */
export async function databaseWorld(): Promise<World> {
  const urls = await createTestDatabase(inject("postgres"));
  const env = readEnv({});
  const keys = encryptionKeys(env);
  await putPlatform(urls.ownerUrl, { id: platformId, name: "One" });
  const imported = { memberId: "member-0", email: "person-0@example.com" };
  await putUser(urls.ownerUrl, { platformId, externalUserId: ids.externalUserId(), ...imported }, keys);
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {}, maxConnections: 2 });
  const fake = fakePorts();
  const { blobs, provider, providerSlots, inspector, evidenceRenderer, observer, webhookSender } = fake.ports;
  const outside = { provider, providerSlots, inspector, evidenceRenderer, observer, webhookSender };
  const inside = { env, database, keys, blobs, cache: noLookupCache, publicUrl: ownOrigin };
  const ports = createPorts({ ...inside, ...outside });
  const uploads = await uploadTo(ports);
  return {
    platformId,
    ports,
    uploads,
    answerWith: fake.answerWith,
    close: async () => {
      await database.close();
      await urls.drop();
    },
  };
}

async function uploadTo({ files, fileUrls }: Ports): Promise<Uploads> {
  const keep = async (purpose: FilePurpose) => {
    const fileId = ids.fileId();
    const bytes = Buffer.from("x");
    const file = { fileId, blobName: ids.blobName(), purpose, contentType: "image/jpeg", bytes } as const;
    await files.keep(platformId, file);
    return fileUrls.urlOf(fileId);
  };
  const kept = filePurpose.options.map(async (purpose) => [
    purpose,
    await Promise.all(Array.from({ length: 10 }, () => keep(purpose))),
  ]);
  return { ...Object.fromEntries(await Promise.all(kept)), none: noFiles };
}

/** In-memory ports with the purposes of files, without e-mails, keys and erasures. */
export function memoryWorld(): World {
  const fake = fakePorts();
  const purposes = new Map(filePurpose.options.map((purpose) => [ids.fileId(), purpose]));
  const check: Ports["files"]["check"] = async (_platform, uses) =>
    uses
      .filter(({ fileId, purpose }) => purposes.get(fileId) !== purpose)
      .map(({ path }) => ({ path, rule: "file-purpose", message: "Upload it again." }));
  const urls = [...purposes].map(([fileId, purpose]) => [purpose, [fileUrls.urlOf(fileId)]]);
  return {
    platformId,
    ports: { ...fake.ports, files: { ...fake.ports.files, check } },
    uploads: { ...Object.fromEntries(urls), none: noFiles },
    answerWith: fake.answerWith,
    close: async () => {},
  };
}
