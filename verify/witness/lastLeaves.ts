import { MismatchError } from "../log/bytes.ts";
import { decodeSecond, kinds } from "../log/leaves.ts";
import { type Commitment, decodeLiabilities, nextCommitment } from "../log/liabilities.ts";
import { decodeAudit } from "../operator/auditLeaf.ts";

/** An act in the log that pauses world time. */
export interface Pause {
  leaf: number;
  /** The second of world time at which the pause begins. */
  atMs: number;
}

/** The last statements in the leaves that a witness has read; each is null if no leaf made one. */
export interface LastLeaves {
  /** The last commitment to what people hold. */
  committed: Commitment | null;
  /** The newest act on world time, if it is a pause. */
  pause: Pause | null;
  secondMs: number | null;
}

export const noLeaves: LastLeaves = { committed: null, pause: null, secondMs: null };

/** How late the last second before a pause may close: ten real seconds at a speed of up to 60. */
const closingMs = 11_000 * 60;

/**
 * Returns the last statements once `entry` is read as well. An unreadable leaf changes nothing;
 * throws a MismatchError for a commitment that does not follow the last one.
 */
export function addLeaf(last: LastLeaves, leaf: number, entry: Uint8Array): LastLeaves {
  switch (entry[1]) {
    case kinds.liabilities: {
      const liabilities = readable(() => decodeLiabilities(entry, null));
      return liabilities
        ? { ...last, committed: nextCommitment(last.committed, leaf, liabilities) }
        : last;
    }
    case kinds.audit: {
      const auditLeaf = readable(() => decodeAudit(entry, null));
      return auditLeaf?.type === "act" ? withAct(last, leaf, auditLeaf.act) : last;
    }
    case kinds.second: {
      const second = readable(() => decodeSecond(entry, null));
      return second ? { ...last, secondMs: second.secondMs } : last;
    }
    default:
      return last;
  }
}

type Act = { what: string; details: Record<string, unknown> | null } | null;

function withAct(last: LastLeaves, leaf: number, act: Act): LastLeaves {
  const atMs = act?.details?.at_ms;
  if (act?.what === "class.clock_resumed") return { ...last, pause: null };
  if (act?.what !== "class.clock_paused" || typeof atMs !== "number") return last;
  return { ...last, pause: { leaf, atMs } };
}

/** The pause in effect: one that is only announced does not excuse a log that stops before it. */
export function getPauseInEffect({ pause, secondMs }: LastLeaves): Pause | null {
  return pause && secondMs !== null && secondMs + closingMs >= pause.atMs ? pause : null;
}

function readable<Value>(readValue: () => Value): Value | null {
  try {
    return readValue();
  } catch (error) {
    if (error instanceof MismatchError) return null;
    throw error;
  }
}
