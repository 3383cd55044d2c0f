import { expect, test } from "vitest";
import { providerFingerprint } from "../../src/kyc/prepare-record.ts";
import { aSubmission } from "../support/world.ts";

const key = Buffer.alloc(32, 1);
const of = (changes: Parameters<typeof aSubmission>[0] = {}, platformId = "plt_1") =>
  providerFingerprint(platformId, aSubmission(changes), key);

test("contains nothing of the memberId, which never leaves the platform", () => {
  expect(of({ memberId: "another" })).toBe(of());
});

test("is equal for the same person's data, also if the files were uploaded again", () => {
  expect(of({ frontImageUrl: "https://files.example.com/again.jpg" })).toBe(of());
  expect(
    of({
      supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/1.pdf" }],
    }),
  ).toBe(of());
  expect(of({ email: "ADA@example.com", name: "Ada Lovelace".normalize("NFD") })).toBe(of());
});

test("differs between platforms, keys and other data", () => {
  const others = [
    of({}, "plt_2"),
    of({ documentNumber: "P7654321" }),
    of({ email: "bob@example.com" }),
    providerFingerprint("plt_1", aSubmission(), Buffer.alloc(32, 2)),
  ];
  expect(new Set([of(), ...others]).size).toBe(5);
});
