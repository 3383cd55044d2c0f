import type { ProviderReply } from "@cardbridge/domain";
import type { Ports } from "../../../src/index.ts";

/** Where a process is held: before it sends, asks or sends an answer to the provider, or before it stores a reply. */
export type Place = "send" | "ask" | "answer" | "store" | "end";

/** Whether it is about to make the first call of its attempt. */
export const isAtCall = ({ place }: Process) => place === "send" || place === "ask";

/** An attempt in a process, which goes on only as the trace says. A process that dies is never released. */
export interface Process {
  place: Place;
  /** Lets it go on, and waits until it is held again or has ended. */
  release(value?: unknown): Promise<Place>;
  /** What it responds. */
  result: Promise<unknown>;
  /** The reply that it has got, and has not looked at yet. */
  reply: ProviderReply | null;
  /** Its attempt ends after the time in which a submission has to be resolved. */
  overdue: boolean;
}

/** Starts a call or a worker's attempt on ports that hold it. `late` is the repository that finds every record overdue. */
export async function startProcess(
  ports: Ports,
  late: Ports["kycRecords"],
  run: (ports: Ports) => Promise<unknown>,
): Promise<Process> {
  const { kycRecords } = ports;
  let arrive: (place: Place) => void = () => {};
  let go: (value: unknown) => void = () => {};
  const nextPlace = () =>
    new Promise<Place>((resolve) => {
      arrive = (place) => {
        process.place = place;
        resolve(place);
      };
    });
  const hold = (place: Place) => {
    const released = new Promise<never>((resolve) => {
      go = resolve as (value: unknown) => void;
    });
    arrive(place);
    return released;
  };
  const process: Process = {
    place: "end",
    reply: null,
    overdue: false,
    result: Promise.resolve(),
    release(value) {
      const next = nextPlace();
      go(value);
      return next;
    },
  };
  const held: Ports = {
    ...ports,
    provider: {
      ...ports.provider,
      submitKyc: () => hold("send"),
      findKyc: () => hold("ask"),
      answerRequest: () => hold("answer"),
    },
    kycRecords: {
      ...kycRecords,
      async storeVerdict(...given) {
        await hold("store");
        return kycRecords.storeVerdict(...given);
      },
      async reschedule(...given) {
        await hold("store");
        return (process.overdue ? late : kycRecords).reschedule(...given);
      },
    },
  };
  const first = nextPlace();
  process.result = run(held).catch((error: unknown) => error);
  process.result.then(() => arrive("end"));
  await first;
  return process;
}
