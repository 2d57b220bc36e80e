declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A session expired or was ended. */
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
 * Resolves a token to its session; null if it is unknown, ended or expired. Provided by the session
 * domain.
 */
export type SessionResolver = (token: string) => Promise<Session | null>;

/**
 * Name of the cookie that carries the token. Non-browser clients send a `token` header instead.
 * Cookies ignore ports: the cookie of a world with its own port and no host name carries the world's
 * name, so that one world's session never replaces another's.
 */
export const sessionCookieName = (worldName: string | null) =>
  worldName === null ? "w1Token" : `w1Token_${worldName}`;

/**
 * All that browsers ask of a cookie whose name starts with `__Host-`: no `Domain`, the path `/`, and
 * `Secure` wherever the page is https. The name itself cannot start with it, because plain
 * http is served too.
 */
export function sessionCookieOptions({ protocol }: { protocol: "http" | "https" }) {
  return { path: "/", httpOnly: true, secure: protocol === "https", sameSite: "lax" as const };
}
