import { expect, it } from "vitest";
import { anyName, inputOf, questionsOf } from "../../support/names.ts";
import { sampleImage } from "../../support/samples.ts";
import { both, type Canary, idOf, json, queries } from "./canary.ts";

const submitPaths = ["/openapi/v1/users/kyc", "/trpc/kyc.submit"];

/** Sends marks in valid submissions, in files, in unknown names, and in invalid bodies. */
export function sendInputs({ services, marks, ask, call, submitted, nameOf }: Canary): void {
  it("submissions that succeed, are repeated and are read", async () => {
    for (const transport of both) {
      const submission = marks.submission();
      const headers = { "idempotency-key": marks.next() };
      const slowly = { effect: true, before: services().look, answer: "pass" as const };
      services().well.provider.plan(submission.email, { put: [slowly] });
      const first = await ask("kyc.submit", transport, submission, { headers });
      expect(first.status).toBe(200);
      const again = await ask("kyc.submit", transport, submission, { headers });
      expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
      const { memberId, email } = submission;
      for (const name of [{ memberId }, { email }]) {
        expect((await ask("cards.list", transport, name)).status).toBe(200);
        expect((await ask("kyc.get", transport, name)).status).toBe(200);
      }
      expect((await ask("kyc.history", transport, { kycRecordId: idOf(first) })).status).toBe(200);
    }
  });

  it("files that are uploaded, read and missing", async () => {
    const file = new File([sampleImage], `${marks.next()}.jpg`);
    const taken = await ask("files.upload", "REST", { purpose: "selfie", file });
    expect(taken.status).toBe(201);
    const { url } = JSON.parse(taken.body);
    const { pathname } = new URL(url);
    const read = (path: string) => call("a file", { path, method: "GET", headers: {} });
    expect(await read(pathname)).toBe(200);
    expect(await read(`/files/${marks.next()}`)).toBe(400);
    expect(await read(`/files/file_${"0".repeat(26)}`)).toBe(404);
    expect(await read(`${pathname}?expires=1&signature=${marks.next()}`)).toBe(401);
    expect(await read(`/files/uploads/${marks.next()}`)).toBe(405);
  });

  it("files that are sent to upload URLs", async () => {
    const created = await ask("files.createUploadUrl", "tRPC", { purpose: "selfie" });
    const { pathname } = new URL(JSON.parse(created.body).result.data.uploadUrl);
    const put = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
      call("an upload", { path, method: "PUT", headers: {}, body });
    expect(await put(`${pathname}${marks.next()}`, marks.next())).toBe(401);
    expect(await put(pathname, marks.next())).toBe(400);
    expect(await put(pathname, new Uint8Array(sampleImage))).toBe(201);
    expect(await put(pathname, new Uint8Array(sampleImage))).toBe(201);
    expect(await put(pathname, marks.next())).toBe(409);
  });

  it.each(queries)("unknown names in $operation.id over $transport", async (binding) => {
    const own = await submitted();
    for (const { field, others } of questionsOf(binding.operation)) {
      const beside = Object.fromEntries(others.map((name) => [name, nameOf(own, name)]));
      const input = inputOf(binding.operation, { ...beside, [field]: anyName(field, marks.next()) });
      const { status } = await ask(binding.operation.id, binding.transport, input);
      expect([field, status]).toEqual([field, 404]);
    }
  });

  it.each(submitPaths)("invalid bodies to %s", async (path) => {
    const text = JSON.stringify(marks.submission());
    const post = (body: string, headers: Record<string, string> = json) =>
      call("an invalid body", { method: "POST", path, headers, body });
    for (const body of [text.slice(0, -1), text.replace(":", marks.next()), `"${marks.next()}"`, `[${text}]`])
      expect(await post(body)).toBe(400);
    expect(await post(`${text}${marks.next()}`)).toBe(400);
    expect(await post(`{"a":"\n    at ${marks.next()}"`)).toBe(400);
    expect(await post(text, { "content-type": `text/${marks.next()}` })).toBe(415);
    expect(await post(text, { ...json, "content-encoding": marks.next() })).toBe(415);
    expect(await post(JSON.stringify({ text, more: marks.next().repeat(5_000) }))).toBe(413);
    expect(await post(text, { ...json, "idempotency-key": `${marks.next()} ${marks.next()}` })).toBe(400);
  });
}
