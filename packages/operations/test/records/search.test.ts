import { Failure, type Person } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { countRecords } from "../../src/records/counts.ts";
import { listRecordChanges } from "../../src/records/list-changes.ts";
import { searchRecords } from "../../src/records/search.ts";
import { findUsers } from "../../src/users/search.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const person: Person = {
  personId: "per_ada",
  roles: ["operator"],
  platforms: ["plt_1", "plt_2"],
  authenticatedAt: null,
  expiresAt: new Date("2026-01-31T13:00:00.000Z"),
};
const callFor = (who?: Person) => ({
  ...callOf("internal", { scopes: ["ops.records.read", "ops.users.read"] }),
  person: who,
});

/** Ports that record the platforms of each read, and what is read. */
function recordingPorts(found: object[] = []) {
  const reads: unknown[][] = [];
  const { ports, audited } = fakePorts();
  const reading =
    <T>(result: T) =>
    async (...read: unknown[]) => {
      reads.push(read);
      return result;
    };
  const page = { records: [], nextCursor: null, narrow: false, asOf: "2026-01-31T12:00:00.000Z" };
  const counted = { count: 0, more: false };
  const decided = { APPROVED: counted, REJECTED: counted, refused: counted };
  return {
    reads,
    audited,
    ports: {
      ...ports,
      recordSearch: {
        search: reading(page),
        counts: reading({ needsAttention: 0, open: 0, assignedToMe: 0, oldestOpenAt: null, decided }),
        changes: reading({ changes: [], lastEventId: "1-0", more: false }),
      },
      userAdmin: { ...ports.userAdmin, find: reading(found as never) },
      platforms: {
        ...ports.platforms,
        find: (id: string) => (id === "plt_unknown" ? null : { platformId: id }),
      },
    },
  };
}

describe("a read over platforms", () => {
  const email = "ada@example.com";

  test("is about all platforms that the person may access, or about the named ones", async () => {
    const { ports, reads } = recordingPorts();
    await searchRecords.execute(ports, callFor(person), {});
    await searchRecords.execute(ports, callFor(person), { platformIds: ["plt_2"] });
    await searchRecords.execute(ports, callFor({ ...person, platforms: "all" }), {});
    await searchRecords.execute(ports, callFor(), { platformIds: ["plt_9", "plt_9"] });
    expect(reads.map(([platforms]) => platforms)).toEqual([["plt_1", "plt_2"], ["plt_2"], "all", ["plt_9"]]);
  });

  test("is refused for a platform that does not exist", async () => {
    const { ports, reads } = recordingPorts();
    const input = { platformIds: ["plt_1", "plt_unknown"] };
    await expect(searchRecords.execute(ports, callFor(), input)).rejects.toThrow(
      new Failure("PLATFORM_NOT_FOUND"),
    );
    expect(reads).toEqual([]);
  });

  test("is refused for a platform that the person may not access", async () => {
    const { ports, reads } = recordingPorts();
    const input = { platformIds: ["plt_1", "plt_9"] };
    for (const operation of [searchRecords, countRecords, listRecordChanges]) {
      await expect(operation.execute(ports, callFor(person), input)).rejects.toThrow(
        new Failure("PLATFORM_NOT_FOUND"),
      );
    }
    await expect(findUsers.execute(ports, callFor(person), { ...input, email })).rejects.toThrow(
      new Failure("PLATFORM_NOT_FOUND"),
    );
    expect(reads).toEqual([]);
  });

  test("counts the records of the calling person", async () => {
    const { ports, reads } = recordingPorts();
    await countRecords.execute(ports, callFor(person), {});
    await countRecords.execute(ports, callFor(), {});
    expect(reads).toEqual([
      [["plt_1", "plt_2"], "per_ada"],
      ["all", null],
    ]);
  });

  test("of users is audited, with the user if it found only one", async () => {
    const user = { platformId: "plt_1", externalUserId: "usr_1" };
    for (const found of [[user], [user, { ...user, platformId: "plt_2" }], []]) {
      const { ports, audited } = recordingPorts(found);
      await findUsers.execute(ports, callFor(person), { email });
      const subject = found.length === 1 ? "usr_1" : null;
      expect(audited).toMatchObject([{ operation: "users.find", subject, outcome: "done" }]);
      expect(JSON.stringify(audited)).not.toContain(email);
    }
  });
});
