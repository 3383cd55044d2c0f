import * as z from "zod";

const answer = z.object({ scenarios: z.array(z.object({ id: z.string(), description: z.string() })) });

/** Fetches the sandbox's scenarios and renders them for the guide to the sandbox. */
export async function scenarioNotes(sandboxUrl: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/_scenarios`);
  const { scenarios } = answer.parse(await response.json());
  const rows = scenarios.map(({ id, description }) => `| \`${id}\` | ${description} |`);
  return `

## All tags

This service runs with a sandbox, which knows these tags:

| Tag | What happens |
| --- | --- |
${rows.join("\n")}
`;
}
