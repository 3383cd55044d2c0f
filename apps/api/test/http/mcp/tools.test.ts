import { exampleSubmission } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { openSite } from "../../../src/http/docs/site.ts";
import { notice } from "../../../src/http/mcp/marked.ts";
import { restList, restSubmit, withoutRequestId } from "../../support/call.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { callTool, connect, revisions } from "./connect.ts";
import { writeSearchIndex } from "./search-file.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  const folder = await writeSearchIndex();
  service = await startTestService({ openDocs: (publicUrl) => openSite(folder, { publicUrl, demo: true }) });
});
afterAll(() => service.stop());

const toolNames = ["requirements", "validate", "submit", "result", "cards", "search_docs"];

describe.each(revisions)("with a client that negotiates %s", (mode) => {
  const client = () => connect(service.url, demoKeys.first, mode);

  it("lists the tools with schemas and annotations", async () => {
    const { tools } = await (await client()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    const writes = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writes).toEqual(["submit"]);
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
      // Providers of models refuse tools with these keywords at the root of a schema.
      expect(Object.keys(inputSchema).filter((key) => /^(allOf|anyOf|oneOf|not|\$ref)$/.test(key))).toEqual(
        [],
      );
      expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
    }
  });

  it("brings a new user from the requirements to a result", async () => {
    const agent = await client();
    await agent.listTools();
    const { documentType, documentCountry } = exampleSubmission.input;
    const requirements = await callTool(agent, "requirements", { documentType, documentCountry });
    expect(requirements.text.data).toHaveProperty("fields");

    const body = newSubmission();
    const valid = await callTool(agent, "validate", body);
    expect(valid.text.data).toMatchObject({ valid: true, submission: "new" });
    const submitted = await callTool(agent, "submit", body);
    expect(submitted.text.data).toMatchObject({ success: true, code: "KYC_SUBMITTED" });
    const again = await callTool(agent, "submit", body);
    expect(again.text).toEqual(submitted.text);
    const result = await callTool(agent, "result", { memberId: body.memberId });
    expect(result.text.data).toMatchObject({ success: true, status: "APPROVED" });
  });

  it("lists cards as REST does", async () => {
    const cards = await callTool(await client(), "cards", { memberId: "alice", pageSize: 2 });
    const rest = await restList(service.caller(), { memberId: "alice", pageSize: 2 });
    expect(cards.text.data).toEqual(rest.body);
    expect(cards.structured).toEqual(cards.text);
    expect(Object.entries(cards.text)[0]).toEqual(["notice", notice]);
    expect(cards.text.data).toMatchObject({ pageSize: 2, total: expect.any(Number) });
  });

  it("finds a section of the documentation", async () => {
    const { text, structured } = await callTool(await client(), "search_docs", { query: "verify webhook" });
    expect(text).toEqual(structured);
    expect(structured).toMatchObject({ results: [{ title: "Webhooks: Verify a signature" }] });
  });

  it("reports errors in the words of REST", async () => {
    const agent = await client();
    const invalid = { ...newSubmission(), name: "", gender: "x", email: "nobody" };
    const submitted = await callTool(agent, "submit", invalid);
    const overRest = await restSubmit(service.caller(), invalid);
    expect(submitted.isError).toBe(true);
    expect(submitted.text.error).toMatchObject({
      code: "INVALID_INPUT",
      requestId: expect.stringMatching(/^req_/),
    });
    expect(withoutRequestId(submitted.text.error)).toEqual(withoutRequestId(overRest.body));

    const listed = await callTool(agent, "cards", { memberId: "nobody" });
    const rest = await restList(service.caller(), { memberId: "nobody" });
    expect(listed.isError).toBe(true);
    expect(withoutRequestId(listed.text.error)).toEqual(withoutRequestId(rest.body));
    // A client shows a model the text: it marks data and errors.
    expect(Object.entries(listed.text)[0]).toEqual(["notice", notice]);
    expect(listed.structured).toBeUndefined();
  });
});

it("logs a call with its operation and code, and without its data", async () => {
  const agent = await connect(service.url, demoKeys.first);
  const from = service.lines.length;
  const failed = await callTool(agent, "result", { memberId: "member-of-nobody" });
  const lines = service.lines.slice(from).map((line) => JSON.parse(line));
  expect(lines.find(({ requestId }) => requestId === failed.text.error?.requestId)).toMatchObject({
    route: "/mcp",
    procedures: ["kyc.get"],
    platformId: "plt_demo_one",
    status: 200,
    code: "USER_NOT_FOUND",
  });
  expect(lines.map((line) => JSON.stringify(line)).join()).not.toContain("member-of-nobody");
});
