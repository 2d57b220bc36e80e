import type { OpenKey } from "../load.ts";
import type { ExpectedVersions } from "../mixes/console.ts";
import type { AcknowledgedChange } from "../record.ts";

export interface CrashReport {
  /** Sentences, one per difference. */
  lost: string[];
  duplicated: string[];
  unbalanced: string[];
  /** Changes whose request was never answered; whether they exist is determined here. */
  indefinite: { stand: number; doNot: number };
  /** Orders acknowledged on a retry, although an earlier request had been accepted. */
  answeredLate: number;
  outcomes: Record<string, number>;
}

export interface Expectation {
  record: readonly AcknowledgedChange[];
  /** Keys that were never answered. */
  open: ReadonlyMap<string, OpenKey>;
  /** Users whose only changes are orders. */
  traders: readonly string[];
  /** Versions that each publication should have. */
  expected: ExpectedVersions;
  /** Keys of operators' calls that only elevated a session. */
  ownKeys: ReadonlySet<string>;
  owner: string | null;
}
