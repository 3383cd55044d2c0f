import { describe, expect, it } from "vitest";
import { detect } from "../../src/web/lib/detect.ts";
import { shortId } from "../../src/web/lib/ids.ts";

describe("what somebody searches for", () => {
  it.each([
    ["  ", { kind: "nothing" }],
    ["kyc_01m8abc", { kind: "record", kycRecordId: "kyc_01m8abc" }],
    [" req_01m8abc-1 ", { kind: "request", requestId: "req_01m8abc-1" }],
    ["usr_2x4y", { kind: "user", externalUserId: "usr_2x4y" }],
    ["alice@example.com", { kind: "email", email: "alice@example.com" }],
    ["kyc_a@example.com", { kind: "email", email: "kyc_a@example.com" }],
    ["acct_0a1b", { kind: "name", name: "acct_0a1b" }],
    ["M-000 17", { kind: "name", name: "M-000 17" }],
    ["kyc_a/../b", { kind: "name", name: "kyc_a/../b" }],
  ])("recognizes %j", (typed, found) => {
    expect(detect(typed)).toEqual(found);
  });
});

describe("a short id", () => {
  it("keeps the prefix and the end, which tells ids of one time apart", () => {
    expect(shortId("kyc_01m8f4k2v7q0c3x9z5b1n8d6ta")).toBe("kyc_01m8…d6ta");
    expect(shortId("8f2c1a0b9d7e4f31")).toBe("8f2c…4f31");
  });
  it("leaves alone what is short already", () => {
    expect(shortId("usr_2x4y6z")).toBe("usr_2x4y6z");
  });
});
