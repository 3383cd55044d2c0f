import * as z from "zod";

const answer = z.object({ scenarios: z.array(z.object({ id: z.string(), description: z.string() })) });

/** Fetches the sandbox's scenarios and renders them for the docs. */
export async function scenarioNotes(sandboxUrl: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/_scenarios`);
  const { scenarios } = answer.parse(await response.json());
  const rows = scenarios.map(({ id, description }) => `| \`${id}\` | ${description} |`);
  return `

## Scenarios of the sandbox

This service runs against the provider sandbox. A tag in the e-mail of a submission, \`name+TAG@example.com\`, selects
its scenario:

| Tag | What happens |
| --- | --- |
${rows.join("\n")}
`;
}
