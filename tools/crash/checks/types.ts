import type { OpenKey } from "../load.ts";
import type { ExpectedVersions } from "../mixes/console.ts";
import type { AcknowledgedChange } from "../record.ts";

export interface CrashReport {
  /** Sentences, one per difference. */
  losses: string[];
  duplicates: string[];
  imbalances: string[];
  /** Changes whose request was never answered; whether they exist is determined here. */
  indefinite: { existing: number; absent: number };
  /** Orders acknowledged on a retry, although an earlier request had been accepted. */
  lateAnswers: number;
  outcomes: Record<string, number>;
}

export interface Expectation {
  record: readonly AcknowledgedChange[];
  /** Keys that were never answered. */
  openKeys: ReadonlyMap<string, OpenKey>;
  /** Users whose only changes are orders. */
  traders: readonly string[];
  /** Versions that each publication should have. */
  expectedVersions: ExpectedVersions;
  /** Keys of operators' calls that only elevated a session. */
  ownKeys: ReadonlySet<string>;
  owner: string | null;
}
