import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** The protocol's revisions: clients of 2025 initialize, and later ones describe themselves in each message. */
export const revisions = ["legacy", "auto"] as const;

/** Connects the official client. It disconnects with the test. */
export async function connect(
  url: string,
  key: string,
  mode: (typeof revisions)[number] = "auto",
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

interface Called {
  isError: boolean;
  /** What the text contains, which is what most clients show a model. */
  text: { notice?: string; data?: unknown; error?: Record<string, unknown>; retryAfterSeconds?: number };
  structured: unknown;
}

/** Calls a tool, and reads its text. */
export async function callTool(client: Client, name: string, sent: unknown = {}): Promise<Called> {
  const { isError, content, structuredContent } = await client.callTool({
    name,
    arguments: sent as Record<string, unknown>,
  });
  const [first, ...more] = content;
  if (first?.type !== "text" || more.length > 0) throw new TypeError("The result is not one text.");
  return { isError: isError === true, text: JSON.parse(first.text), structured: structuredContent };
}
