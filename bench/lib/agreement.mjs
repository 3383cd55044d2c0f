import { isDeepStrictEqual } from "node:util";

const ids = ["externalUserId", "kycRecordId"];

/**
 * Calls every contestant that returns the interface's data once, so that no error page is measured. `data` extracts the
 * data from a contestant's body. Ids may differ; everything else must equal the data of the model.
 *
 * @param model the name of a contestant
 */
export async function assertAgreement(contestants, model) {
  const expected = await answerOf(contestants.find(({ name }) => name === model));
  for (const contestant of contestants.filter(({ data }) => data)) {
    const answer = await answerOf(contestant);
    if (isDeepStrictEqual(answer, expected)) continue;
    const bodies = [answer, expected].map((body) => JSON.stringify(body).slice(0, 500));
    throw new Error(`${contestant.name} returns other data than ${model}:\n${bodies.join("\n")}`);
  }
}

async function answerOf({ name, process, next, data }) {
  const { path, ...init } = next();
  const response = await fetch(process.url + path, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${name} returns ${response.status}: ${text.slice(0, 500)}`);
  return data(JSON.parse(text, (key, value) => (ids.includes(key) ? typeof value : value)));
}
