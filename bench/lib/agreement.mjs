import { isDeepStrictEqual } from "node:util";

const ids = ["externalUserId", "kycRecordId"];

/**
 * Asks every contestant that answers with the interface's data once, so that nobody measures an error page. `data`
 * finds the data in a contestant's body; ids are each one's own, all else has to be what the model answers.
 *
 * @param model the name of a contestant
 */
export async function assertAgreement(contestants, model) {
  const expected = await answerOf(contestants.find(({ name }) => name === model));
  for (const contestant of contestants.filter(({ data }) => data)) {
    const answer = await answerOf(contestant);
    if (isDeepStrictEqual(answer, expected)) continue;
    const bodies = [answer, expected].map((body) => JSON.stringify(body).slice(0, 500));
    throw new Error(`${contestant.name} answers something else than ${model}:\n${bodies.join("\n")}`);
  }
}

async function answerOf({ name, process, next, data }) {
  const { path, ...init } = next();
  const response = await fetch(process.url + path, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${text.slice(0, 500)}`);
  return data(JSON.parse(text, (key, value) => (ids.includes(key) ? typeof value : value)));
}
