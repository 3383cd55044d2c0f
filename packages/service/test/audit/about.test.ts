import { expect, test } from "vitest";
import { entriesAbout } from "../../src/audit/about.ts";
import { withConnection } from "../../src/database/connect.ts";
import { aCaller, makeWorld } from "../support/world.ts";

const { audit, platform, ports, urls } = await makeWorld();

/** Adds entries about nobody, in one transaction. */
const addOthers = (platformId: string, count: number) =>
  withConnection(urls.adminUrl, (client) =>
    client.query(
      `insert into audit_entries (platform_id, actor, operation, subject, outcome)
       select $1, 'key_1', 'kyc.get', 'kyc_' || n, 'done' from generate_series(1, $2::int) as n`,
      [platformId, count],
    ),
  );

async function about(platformId: string, ...subjects: string[]) {
  const found: (string | null)[] = [];
  for await (const batch of entriesAbout(ports, platformId, subjects))
    found.push(...batch.map(({ subject }) => subject));
  return found;
}

test("entries about a subject are found across batches, oldest first, and only those of the platform", async () => {
  const [platformId, other] = [await platform(), await platform()];
  const add = (subject: string, owner = platformId) =>
    audit.append(owner, { ...aCaller, subject, outcome: "done" });
  await add("usr_first");
  // The entry after these is the last one of the first batch.
  await addOthers(platformId, 9_998);
  await add("file_second");
  await add("usr_first");
  await addOthers(platformId, 10_001);
  await add("usr_third");
  await add("usr_first", other);
  const everything = ["usr_first", "file_second", "usr_first", "usr_third"];
  expect(await about(platformId, "usr_first", "file_second", "usr_third")).toEqual(everything);
  expect(await about(platformId, "usr_third")).toEqual(["usr_third"]);
  expect(await about(other, "usr_first", "usr_third")).toEqual(["usr_first"]);
  expect(await about(platformId, "usr_none")).toEqual([]);
  expect(await about(await platform(), "usr_first")).toEqual([]);
});
