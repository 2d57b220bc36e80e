import { dayMs, hourMs } from "#core/money/time.ts";

/** The maximum lifetime of a session, in real time. */
export const sessionLifeMs = dayMs;

/** Real time without a call or an open stream after which a session ends. */
export const sessionIdleMs = 2 * hourMs;

/** Open sessions of one person; signing in once more ends the oldest. */
export const sessionsMax = 10;

/** The causes that end a session before its time. */
const sessionEndedBy = ["person", "sign_in", "limit", "operator"] as const;
export type SessionEndedBy = (typeof sessionEndedBy)[number];

/** Why a session ended: it was ended by someone, unused for too long, or older than a day. */
export const sessionEndings = [...sessionEndedBy, "idle", "expired"] as const;
export type SessionEnding = (typeof sessionEndings)[number];

interface SessionTimes {
  lastSeenAtMs: number;
  expiresAtMs: number;
  endedAtMs: number | null;
  endedBy: SessionEndedBy | null;
}

/** When a session ended and why; null while it is open. */
export function getSessionEnd(
  { lastSeenAtMs, expiresAtMs, endedAtMs, endedBy }: SessionTimes,
  nowMs: number,
): { atMs: number; why: SessionEnding } | null {
  if (endedAtMs !== null) return { atMs: endedAtMs, why: endedBy ?? "operator" };
  const idleAtMs = lastSeenAtMs + sessionIdleMs;
  const atMs = Math.min(idleAtMs, expiresAtMs);
  if (atMs > nowMs) return null;
  return { atMs, why: idleAtMs < expiresAtMs ? "idle" : "expired" };
}
