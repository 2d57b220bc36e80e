import type { ResolvedBelief } from "#core/beliefs/calibration.ts";
import type { WorkLine } from "#core/records/accountResult.ts";
import type { ClassLinkState } from "#server/operator/classes/deps.ts";

/** Total and result of an attempt, in decimal pUSDT (`findAccountAndRate`). */
export interface DebriefAccount {
  balances: readonly { available: string; held: string }[];
  at_work: Readonly<Record<WorkLine, string>>;
  taken_out: Readonly<Record<"withdraw", string>>;
  fees: Readonly<Record<string, string>>;
  spread: Readonly<Record<string, string>>;
  result: string;
  parts: Readonly<Record<"hosting" | "mining", string>>;
}

/** The dependencies of a debrief on other domains. */
export interface DebriefDeps {
  invites: {
    classes: {
      listClassLinks(): Promise<ClassLinkState[]>;
      members(classId: string): Promise<string[]>;
    };
  };
  session: {
    /** Null for a deleted account. */
    person(userId: string): Promise<object | null>;
  };
  records: {
    /** The account of each attempt; null while a coin in it has no index. */
    accounts(userId: string): Promise<(DebriefAccount | null)[]>;
  };
  contracts: {
    decidedOrders(
      userIds: readonly string[],
    ): Promise<
      ReadonlyMap<
        string,
        { decided: number; won: number; stake: bigint; fee: bigint; profit: bigint }
      >
    >;
  };
  beliefs: {
    resolvedOf(userId: string): Promise<ResolvedBelief[]>;
    consent: { agreedIn(classId: string): Promise<ReadonlySet<string>> };
  };
}
