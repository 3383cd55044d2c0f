import { useSyncExternalStore } from "react";

/** What the console's server says about the session. */
export interface Session {
  environment: Environment;
  slaHours: number;
  name: string | null;
  /** The address of the documentation, if the console knows it. */
  docsUrl?: string;
  /** The address of a trace, with `{traceId}` in it. */
  traceUrl?: string;
}

export type SessionState =
  | { state: "loading" }
  | { state: "signed-in"; session: Session }
  | { state: "signed-out"; why: WhySignedOut; environment?: Environment | undefined };

export type Environment = "live" | "test";
export type WhySignedOut = "new" | "idle" | "left" | "too-old" | "unreachable" | "refused" | "unavailable";

let current: SessionState = { state: "loading" };
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks the server who is signed in. */
export async function loadSession(): Promise<void> {
  try {
    const response = await fetch("/api/session", { headers: { "X-Cardbridge-Console": "1" } });
    if (response.ok) return set({ state: "signed-in", session: (await response.json()) as Session });
    const { environment } = (await response.json().catch(() => ({}))) as Partial<Session>;
    set({ state: "signed-out", why: response.status === 401 ? "new" : "unreachable", environment });
  } catch {
    set({ state: "signed-out", why: "unreachable" });
  }
}

/** Shows the sign-in page in place of the view. The address stays, so the person comes back to it. */
export function endSession(why: "idle" | "left" | "too-old"): void {
  if (current.state !== "signed-in") return;
  set({ state: "signed-out", why, environment: current.session.environment });
}

/** Ends the session on the server, and then the page's. */
export async function signOut(): Promise<void> {
  const options = { method: "POST", headers: { "X-Cardbridge-Console": "1" } };
  const response = await fetch("/auth/sign-out", options).catch(() => undefined);
  endSession("left");
  const { redirect = "/" } = ((await response?.json().catch(() => undefined)) ?? {}) as { redirect?: string };
  // The issuer may have a session of its own to end.
  if (redirect !== "/") location.assign(redirect);
}

/** The session of this page. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The address of the sign-in that returns to the present view. */
export function signInAddress(fresh = false): string {
  const { pathname, search } = location;
  const back = encodeURIComponent(pathname === "/sign-in" ? "/" : pathname + search);
  return `/auth/sign-in?${fresh ? "fresh=1&" : ""}return=${back}`;
}
