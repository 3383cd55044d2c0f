import { expect, test } from "vitest";
import { showUser } from "../../src/records/show-user.ts";
import { personCall } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { admin, platform, ports, submitted } = await makeWorld();

test("a user is shown with the first letters of the e-mail and what the latest record needs", async () => {
  const platformId = await platform();
  const { externalUserId, record } = await submitted(
    { memberId: "m-1", email: "grace@mail.example.com" },
    platformId,
  );
  const show = async () =>
    (await showUser.execute(ports, personCall(["ops.users.read"]), { platformId, externalUserId })).data;
  const shown = await show();
  expect(shown).toMatchObject({
    maskedEmail: "g•••@m•••.com",
    latest: {
      kycRecordId: record.kycRecordId,
      next: { operator: expect.any(String), person: expect.any(String) },
    },
  });
  // A hexadecimal id can contain no such name.
  expect(JSON.stringify(shown)).not.toMatch(/grace|mail\.example/);

  await admin("delete from kyc_history");
  await admin("delete from kyc_records where id = $1", [record.kycRecordId]);
  expect(await show()).toMatchObject({ latest: null, records: [] });
});
