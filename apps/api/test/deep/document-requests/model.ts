/* A model of one record: what the provider has, what the service knows of it, and the changes that callers see. */

type Status = "PENDING" | "PENDING_APPROVAL" | "APPROVED" | "REJECTED";
type RequestStatus = "open" | "answered" | "closed";

interface Asked {
  documentType: string;
  status: RequestStatus;
  revision: number;
}

/** What the provider reports at one time, in a response or in an event. */
export interface Report {
  status: Status;
  revision: number;
  requests: readonly Asked[];
}

/** A request as the service knows it. */
interface Known {
  documentType: string;
  status: RequestStatus;
  answeredAt: boolean;
  sentAt: boolean;
}

type Change =
  | { type: "kyc.updated"; status: Status }
  | { type: "kyc.request_updated"; documentType: string; status: RequestStatus };

const isFinal = (status: Status) => status === "APPROVED" || status === "REJECTED";
const order: RequestStatus[] = ["open", "answered", "closed"];
const furthest = (one: RequestStatus, other: RequestStatus) =>
  order.indexOf(one) >= order.indexOf(other) ? one : other;

/** @param asks whether the provider asks for a bank statement at once */
export function createModel(asks: boolean) {
  const provider = {
    status: "PENDING_APPROVAL" as Status,
    revision: 1,
    requests: asks ? [{ documentType: "BANK_STATEMENT", status: "open" as RequestStatus, revision: 1 }] : [],
  };
  const record = { status: "PENDING" as Status, revision: 0 };
  const changes: Change[] = [{ type: "kyc.updated", status: "PENDING" }];
  /** By the provider's order; the service may know none of the first. */
  const known = new Map<number, Known>();
  /** The requests with an unsent answer, oldest first, and the files of all answers. */
  const unsent: number[] = [];
  const files = new Map<number, string>();

  const report = (): Report => structuredClone(provider);

  function setStatus(index: number, request: Known, status: RequestStatus): void {
    if (known.get(index)?.status === status) return;
    known.set(index, { ...request, status });
    changes.push({ type: "kyc.request_updated", documentType: request.documentType, status });
  }

  /** A report changes a request by its order. The status never goes back, and a decided record closes it. */
  function learnRequest({ requests }: Report, index: number): void {
    const asked = requests[index];
    if (!asked) return;
    const { documentType } = asked;
    const fresh = { documentType, status: "open" as const, answeredAt: false, sentAt: false };
    const before = known.get(index) ?? fresh;
    const isAnswered = asked.status === "answered";
    const after = {
      ...before,
      answeredAt: before.answeredAt || isAnswered,
      sentAt: before.sentAt || isAnswered,
    };
    setStatus(index, after, isFinal(record.status) ? "closed" : furthest(before.status, asked.status));
    known.set(index, { ...after, status: known.get(index)?.status ?? after.status });
  }

  const wouldApply = ({ status, revision }: Report) =>
    revision > record.revision && !(isFinal(record.status) && !isFinal(status));

  function learnStatus(reported: Report): void {
    if (!wouldApply(reported)) return;
    Object.assign(record, { status: reported.status, revision: reported.revision });
    // A repeated decision is a change too, because its order is new.
    changes.push({ type: "kyc.updated", status: reported.status });
    if (isFinal(record.status)) for (const [index, request] of known) setStatus(index, request, "closed");
  }

  function learnRequests(reported: Report): void {
    for (const index of reported.requests.keys()) learnRequest(reported, index);
  }

  return {
    record,
    changes,
    report,
    isDecided: () => isFinal(record.status),
    requests: () => [...known].sort(([one], [other]) => one - other).map(([, request]) => request),

    /** Returns whether the provider does it. */
    act(act: "approve" | "reject" | "ask-document", documentType: string): boolean {
      if (act === "ask-document") {
        if (isFinal(provider.status)) return false;
        provider.requests.push({ documentType, status: "open", revision: 1 });
        return true;
      }
      provider.status = act === "approve" ? "APPROVED" : "REJECTED";
      provider.revision += 1;
      for (const request of provider.requests) {
        if (request.status !== "closed")
          Object.assign(request, { status: "closed", revision: request.revision + 1 });
      }
      return true;
    },

    /** Returns the status of the response. `place` is the request's place among those that a reading shows. */
    answer(place: number, file: string, isAccepted: boolean): number {
      const [index, request] = [...known].sort(([one], [other]) => one - other)[place] ?? [];
      if (index === undefined || !request) return 404;
      if (files.get(index) === file && isAccepted) return 200;
      if (request.status !== "open") return 409;
      if (!isAccepted) return 400;
      files.set(index, file);
      unsent.push(index);
      setStatus(index, { ...request, answeredAt: true }, "answered");
      return 200;
    },

    /** An attempt asks the provider, and sends the oldest answer to a request that the provider shows as open. */
    attempt(isFirst = false): void {
      const reported = report();
      if (reported.requests.length > 0 && !isFinal(wouldApply(reported) ? reported.status : record.status)) {
        learnRequests(reported);
        const index = unsent.find((one) => provider.requests[one]?.status === "open");
        const request = index === undefined ? undefined : known.get(index);
        if (!isFirst && index !== undefined && request && !request.sentAt) {
          Object.assign(provider.requests[index] ?? {}, { status: "answered", revision: 2 });
          known.set(index, { ...request, sentAt: true });
        }
      }
      learnStatus(reported);
    },

    /** An event of the submission, which also reports the requests; or of one request. */
    event(reported: Report, request: number | null): void {
      if (request !== null) learnRequest(reported, request);
      else learnStatus(reported);
      if (request === null && !isFinal(record.status)) learnRequests(reported);
    },
  };
}
