import { hashOf, isId, newId, seal, unseal } from "./seal.ts";
import { idleSeconds, type Session, session, totalSeconds } from "./session.ts";
import { type Store, unlessUnavailable } from "./store.ts";

export type Sessions = ReturnType<typeof createSessions>;

/** A session, and the id in its cookie. */
export interface OpenSession extends Session {
  id: string;
}

/** Keeps the sessions. Only the browser has their ids. */
export function createSessions(store: Store, now: () => number) {
  const sessionKey = (idHash: string) => `session:${idHash}`;
  const subjectMark = (subject: string) => `ended:sub:${hashOf(subject)}`;
  const issuerSessionMark = (issuerSession: string) => `ended:sid:${hashOf(issuerSession)}`;

  /** How long the session lasts without a further act. */
  const secondsOf = ({ createdAt }: Session): number =>
    Math.min(idleSeconds, (createdAt - now()) / 1_000 + totalSeconds);

  /** The session with this id and its stored form; undefined if it has ended. */
  async function load(id: string | undefined) {
    if (!isId(id)) return undefined;
    const key = sessionKey(hashOf(id));
    const sealed = await store.get(key);
    if (!sealed) return undefined;
    const stored = session.parse(unseal(id, "session", sealed));
    if (secondsOf(stored) > 0 && !(await wasEnded(stored))) return { id, key, sealed, stored };
    await store.delete(key);
    return undefined;
  }

  async function update(id: string | undefined, change: (stored: Session) => Session) {
    for (;;) {
      const loaded = await load(id);
      if (!loaded) return undefined;
      const changed = change(loaded.stored);
      const opened: OpenSession = { ...changed, id: loaded.id };
      if (changed === loaded.stored) return opened;
      const after = seal(loaded.id, "session", changed);
      if (await store.replace(loaded.key, loaded.sealed, after)) return opened;
    }
  }

  async function wasEnded({ subject, issuerSession, createdAt }: Session): Promise<boolean> {
    if (issuerSession !== undefined && (await store.get(issuerSessionMark(issuerSession)))) return true;
    const mark = await store.get(subjectMark(subject));
    return mark !== undefined && createdAt <= Number(mark.toString());
  }

  return {
    /** Opens a session with a new id for a person who signed in. */
    async create(person: Omit<Session, "createdAt" | "seenAt">): Promise<OpenSession> {
      const id = newId();
      const stored = { ...person, createdAt: now(), seenAt: now() };
      await store.set(sessionKey(hashOf(id)), seal(id, "session", stored), secondsOf(stored));
      return { ...stored, id };
    },

    /** The session with this id; undefined if it has ended. An act of the person prolongs it. */
    async find(id: string | undefined, { act }: { act: boolean }): Promise<OpenSession | undefined> {
      const loaded = await load(id);
      if (!loaded) return undefined;
      const { key, stored } = loaded;
      if (act) await store.prolong(key, secondsOf(stored)).catch(unlessUnavailable);
      return { ...stored, id: loaded.id };
    },

    /** Changes a session. Returns undefined, without a change, if it has ended. */
    update,

    /** Ends the session whose id has this hash. */
    end: (idHash: string): Promise<void> => store.delete(sessionKey(idHash)),

    /** Ends all sessions of a session at the issuer, or of a person. */
    async endAll({ subject, issuerSession }: { subject?: string; issuerSession?: string }): Promise<void> {
      const time = Buffer.from(String(now()));
      if (issuerSession !== undefined) await store.set(issuerSessionMark(issuerSession), time, totalSeconds);
      else if (subject !== undefined) await store.set(subjectMark(subject), time, totalSeconds);
    },

    /** Whether this process is the first one that names this event. */
    once: (name: string, seconds: number): Promise<boolean> => store.claim(`once:${hashOf(name)}`, seconds),

    /** Allows an event again. */
    again: (name: string): Promise<void> => store.delete(`once:${hashOf(name)}`),

    check: store.check,
    count: store.count && (() => store.count?.("session") ?? 0),
  };
}
