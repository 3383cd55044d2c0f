import { expect, it } from "vitest";
import { decideEmailChange, type EmailOwner } from "../../src/index.ts";

const user = { hasEmail: false, erasureRequested: false };
const refused: EmailOwner = {
  latest: { resolution: "refused", status: null },
  everApproved: false,
  imported: false,
};

it("changes a user's e-mail unless another user must keep it (G17)", () => {
  expect(decideEmailChange({ user, emailOwner: undefined })).toBe("change");
  expect(decideEmailChange({ user, emailOwner: refused })).toBe("change");
  expect(decideEmailChange({ user: { ...user, hasEmail: true }, emailOwner: undefined })).toBe("unchanged");
  expect(decideEmailChange({ user, emailOwner: { ...refused, imported: true } })).toMatchObject({
    code: "USER_IDENTITY_CONFLICT",
    details: { violations: [{ path: ["email"] }] },
  });
});

it("changes nothing while an erasure is pending (G26)", () => {
  const erased = { hasEmail: true, erasureRequested: true };
  expect(decideEmailChange({ user: erased, emailOwner: undefined })).toMatchObject({
    code: "USER_ERASURE_PENDING",
  });
});
