import type { RealClock } from "#server/platform/clock/clock.ts";
import { toLoggedNetwork } from "#server/platform/http/limits/network.ts";
import type { Logger } from "#server/platform/logger.ts";

/** Events that an administrator may want to be alerted on: docs/security/events.md. */
export type SecurityEventName =
  | "sign_in.accepted"
  | "sign_in.refused"
  | "session.ended_by_another"
  | "authority.refused"
  | "operator.code_refused"
  | "operator.elevation_refused"
  | "operator.elevated"
  | "operator.factor_changed"
  | "viewing.code_refused"
  | "pin.refused"
  | "limit.reached"
  | "origin.refused"
  | "proxy.not_trusted";

export interface SecurityEvent {
  event: SecurityEventName;
  /** A stable name: of the refusal, the limit, or the party that ended a session. */
  cause: string;
  /** The owner of the session; null if there is none. */
  userId: string | null;
  /**
   * The client's address, of which only the network is written; null if no client caused the event.
   */
  ip: string | null;
  /** The route's pattern. */
  route?: string;
}

export interface SecurityLog {
  note(event: SecurityEvent): void;
  /** Writes counts that are a minute old, so that they are written even if no event follows. */
  writeDue(): void;
  /** Writes the counts not yet written, and resets them. */
  flush(): void;
}

/** The same event is written at most once in this time; repetitions are counted. */
export const repeatMs = 60_000;
/**
 * Different events held in that time. Beyond it they are counted by name and cause alone, so that a
 * flood from many networks fills neither the memory nor the disk.
 */
export const distinctMax = 200;

interface RepeatedLine {
  line: Readonly<Record<string, unknown>>;
  sinceMs: number;
  repeated: number;
}

/**
 * Security events in the program's own log, which only its operator can read: `warn` lines of name,
 * cause, user id and network. The first of its kind is written immediately, repetitions of it as
 * one line with their number a minute later. They hold no text that a person typed, no token,
 * address or amount.
 */
export function createSecurityLog(logger: Logger, clock: RealClock): SecurityLog {
  const repeats = new Map<string, RepeatedLine>();
  const write = ({ line, repeated }: RepeatedLine) => {
    if (repeated > 0) logger.warn({ ...line, repeated }, "security");
  };
  const dropOld = (nowMs: number) => {
    for (const [key, repeatedLine] of repeats) {
      // In the order of their beginning.
      if (nowMs - repeatedLine.sinceMs < repeatMs) return;
      repeats.delete(key);
      write(repeatedLine);
    }
  };
  return {
    note: ({ event, cause, userId, ip, route }) => {
      const nowMs = clock.nowMs();
      dropOld(nowMs);
      const network = ip === null ? null : toLoggedNetwork(ip);
      let line: RepeatedLine["line"] = { event, cause, userId, network, ...(route && { route }) };
      let key = JSON.stringify(line);
      if (!repeats.has(key) && repeats.size >= distinctMax) {
        line = { event, cause, userId: null, network: "many" };
        key = JSON.stringify(line);
      }
      const existing = repeats.get(key);
      if (existing) existing.repeated += 1;
      else {
        repeats.set(key, { line, sinceMs: nowMs, repeated: 0 });
        logger.warn(line, "security");
      }
    },
    writeDue: () => dropOld(clock.nowMs()),
    flush: () => {
      for (const repeatedLine of repeats.values()) write(repeatedLine);
      repeats.clear();
    },
  };
}
