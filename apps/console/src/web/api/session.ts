import { createStore } from "./store.ts";

/** What the console's server says about the session. */
export interface Session {
  environment: Environment;
  slaHours: number;
  name: string | null;
  /** Differs between persons, and says nothing else about them. */
  person: string;
  /** The address of the documentation, if the console knows it. */
  docsUrl?: string;
  /** The address of a trace, with `{traceId}` in it. */
  traceUrl?: string;
}

type SessionState =
  | { state: "loading"; session?: undefined }
  | { state: "signed-in"; session: Session }
  /** `session` is the one that ended: its view waits behind the sign-in. */
  | { state: "signed-out"; why: WhySignedOut; environment?: Environment | undefined; session?: Session };

export type Environment = "live" | "test";
export type WhySignedOut = "new" | "idle" | "left" | "too-old" | "unreachable" | "refused" | "unavailable";

/** The view to which the window of a sign-in returns. It closes itself. */
export const signedInPath = "/signed-in";

const store = createStore<SessionState>({ state: "loading" });
/** Tells the console's other pages in this browser who signed in or out. */
const pages = new BroadcastChannel("session");

const before = (): Session | undefined => store.get().session;

/** Asks the server who is signed in. A view waits for its person: for another one, the page begins again. */
export async function loadSession(): Promise<void> {
  const session = before();
  let why: WhySignedOut = "unreachable";
  let environment = session?.environment;
  try {
    const response = await fetch("/api/session", { headers: { "X-Cardbridge-Console": "1" } });
    const answer = (await response.json().catch(() => ({}))) as Session;
    if (response.ok && session && session.person !== answer.person) return location.reload();
    if (response.ok) return store.set({ state: "signed-in", session: answer });
    if (response.status === 401) why = session ? "idle" : "new";
    environment = answer.environment ?? environment;
  } catch {
    // The server does not answer.
  }
  // A call says soon enough whether a server that does not answer now is away.
  if (store.get().state === "signed-in" && why === "unreachable") return;
  store.set({ state: "signed-out", why, environment, ...(session && { session }) });
}

/** Begins the page: who is signed in here is signed in in the other pages too. */
export async function startSession(): Promise<void> {
  await loadSession();
  if (store.get().state === "signed-in") pages.postMessage("signed-in");
}

pages.onmessage = ({ data }) => {
  if (data === "left") endSession("left");
  else if (before()) void loadSession();
  // Nothing waits behind the sign-in.
  else if (store.get().state === "signed-out") location.reload();
};

/** Shows the sign-in over the view, which waits. A person who leaves leaves nothing behind it. */
export function endSession(why: "idle" | "left" | "too-old"): void {
  const session = before();
  if (!session || (store.get().state === "signed-out" && why !== "left")) return;
  const kept = why === "left" ? {} : { session };
  store.set({ state: "signed-out", why, environment: session.environment, ...kept });
}

/** Ends the session on the server, and then the pages'. */
export async function signOut(): Promise<void> {
  const options = { method: "POST", headers: { "X-Cardbridge-Console": "1" } };
  const response = await fetch("/auth/sign-out", options).catch(() => undefined);
  endSession("left");
  pages.postMessage("left");
  const { redirect = "/" } = ((await response?.json().catch(() => undefined)) ?? {}) as { redirect?: string };
  // The issuer may have a session of its own to end.
  if (redirect !== "/") location.assign(redirect);
}

/** The session of this page. */
export const useSession = store.use;
export const onSession = store.subscribe;

/** The address of the sign-in that returns to the present view. `fresh` asks for the credentials again. */
export function signInAddress(fresh = false): string {
  const { pathname, search } = location;
  const failed = pathname === "/sign-in" && (new URLSearchParams(search).get("return") ?? "/");
  return addressTo(failed || pathname + search, fresh);
}

/** Signs in again in a window of its own, so that this page keeps what is typed. */
export function signInBeside(fresh: boolean): void {
  // A browser that opens no windows leads away and back.
  if (!open(addressTo(signedInPath, fresh), "_blank", "popup,width=520,height=720"))
    location.assign(signInAddress(fresh));
}

const addressTo = (view: string, fresh: boolean): string =>
  `/auth/sign-in?${fresh ? "fresh=1&" : ""}return=${encodeURIComponent(view)}`;
