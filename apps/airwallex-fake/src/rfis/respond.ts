import { ApiError } from "../api-error.ts";
import { setStatus } from "../cardholders/status.ts";
import type { Dependencies } from "../http/context.ts";
import type { Rfi } from "../records/rfi.ts";
import { timestamp } from "../time.ts";
import { setRfiStatus } from "./ask.ts";

export interface RfiResponse {
  questions?: { id?: string; answer?: { type?: string } }[];
}

/**
 * Stores the answers to all questions of an RFI. The review of INCOMPLETE cardholders then continues.
 * @throws ApiError bad_request if it was answered before; invalid_argument with the first violation
 */
export function respond(dependencies: Dependencies, rfi: Rfi, { questions = [] }: RfiResponse): Rfi {
  const { files, cardholders } = dependencies.store.state;
  const { active_request: round, status } = rfi;
  if (status !== "ACTION_REQUIRED") throw new ApiError("bad_request", `The RFI is ${status}.`);
  if (questions.length !== round.questions.length) throw invalid("questions", "should answer every question");
  const answered = round.questions.map((question) => {
    const index = questions.findIndex(({ id }) => id === question.id);
    const { answer } = questions[index] ?? {};
    if (!answer) throw invalid("questions", "should answer every question");
    const { type } = question.answer;
    if (answer.type !== type) throw invalid(`questions[${index}].answer.type`, `should be ${type}`);
    const used = [...JSON.stringify(answer).matchAll(/file_id":"([^"]*)"/g)].map(([, id]) => id);
    const needsFile = type === "ATTACHMENT" || type === "IDENTITY_DOCUMENT";
    const exist = used.every((id) => files.some(({ file_id }) => file_id === id));
    if (!exist || (needsFile && used.length === 0)) {
      throw invalid(`questions[${index}].answer`, "should have the ids of files");
    }
    return { ...question, answer: { ...answer, type } };
  });
  Object.assign(round, { questions: answered, updated_at: timestamp(dependencies.now()) });
  const asked = answered.flatMap(({ sources }) => sources.map(({ id }) => id));
  setRfiStatus(dependencies, rfi, "ANSWERED");
  for (const cardholder of cardholders) {
    const waits = cardholder.status === "INCOMPLETE" && asked.includes(cardholder.cardholder_id);
    if (waits) setStatus(dependencies, cardholder, "PENDING");
  }
  return rfi;
}

function invalid(source: string, fault: string): ApiError {
  return new ApiError("invalid_argument", `${source} ${fault}`, source);
}
