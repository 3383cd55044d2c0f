import { Failure, ReasonError } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import { expect, test } from "vitest";
import { checkRestore } from "../../src/boot/check-restore.ts";

test("a start is refused with every reason", async () => {
  const start = checkRestore(async () => ["It was restored.", "It is older."]);
  await expect(start).rejects.toThrow(ConfigurationError);
  await expect(start).rejects.toThrow(/DATABASE_URL: It was restored\..*DATABASE_URL: It is older\./s);
});

test("a database that was not restored starts", async () => {
  expect(await checkRestore(async () => [])).toBeUndefined();
});

test("a file store that is unavailable delays no start, and is reported", async () => {
  const cause = new ReasonError("timeout");
  const reasonsNotToStart = async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE", { cause }));
  expect(await checkRestore(reasonsNotToStart)).toBe("timeout");
});
