declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A session ended, by itself or by hand. */
    "session.ended": { userId: string; sessionId: string };
  }
}
/** An open session, as every domain sees it. Ids are opaque. */
export interface Session {
  sessionId: string;
  userId: string;
  /** The attempt that new positions and postings belong to. */
  attemptId: string;
  /** Real time. */
  expiresAtMs: number;
}

/**
 * The session a token opens; null when it is unknown, ended or expired. The session domain provides
 * it.
 */
export type SessionResolver = (token: string) => Promise<Session | null>;

/**
 * Name of the cookie that carries the token. Clients that are not browsers send a `token` header
 * instead.
 */
export const sessionCookie = "w1Token";
