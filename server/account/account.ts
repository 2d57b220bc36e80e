import type { DeletionReceipt, getDeletion } from "#api/account.ts";
import type { AnswerOf } from "#api/call.ts";
import { type Locale, locales } from "#core/locales.ts";
import { createDeletion, type DeletionDeps } from "#server/account/deletion.ts";
import { exportPerson } from "#server/account/export.ts";
import {
  joinByName,
  type PersonalData,
  type PersonalDataSource,
} from "#server/account/personalData.ts";
import { readWaitingDeletion } from "#server/account/startDeletion.ts";
import { deleteRetainedExclusion, readRetainedExclusion } from "#server/account/store.ts";
import { countPostings } from "#server/ledger/personPostings.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/** The caller, from the session. */
interface AccountOwner {
  userId: string;
  sessionId: string;
}

export interface AccountDeps extends DeletionDeps {
  pin: {
    /**
     * `freshUntilMs`: the time until which the session's sign-in counts as recent; null afterwards.
     */
    state(owner: AccountOwner): Promise<{ set: boolean; freshUntilMs: number | null }>;
    check(owner: AccountOwner, pin: string | undefined): Promise<void>;
  };
  contracts: {
    limits: DeletionDeps["contracts"]["limits"] & {
      /** Applies an exclusion carried over from a deleted account. */
      takeOver(
        userId: string,
        exclusion: { for_good: boolean; until_ms: number | null },
      ): Promise<void>;
    };
  };
  contributions: {
    readonly personalData: readonly (readonly PersonalDataSource[])[];
    readonly attempts: readonly AttemptHooks[];
  };
}

/** A domain's contributions about its product in attempts. */
interface AttemptHooks {
  running?: {
    product: keyof RunningPositions;
    read(attemptIds: string[]): Promise<ReadonlyMap<string, { count: number }>>;
  };
}

/** Positions still running per product: open orders, pools with units, leases with days left. */
type RunningPositions = Record<"contract" | "hosting" | "mining", number>;

export interface Account {
  /** All personal data held, by name. */
  personalData: () => readonly PersonalData[];
  /** Streams the bytes of one zip archive. */
  export(userId: string, language: Locale): AsyncGenerator<Uint8Array>;
  /** Previews what deleting would end now. */
  preview(owner: AccountOwner, language: Locale): Promise<AnswerOf<typeof getDeletion>>;
  /** Throws `account.word_wrong`, `account.sign_in_again`, or the PIN's error. */
  delete(
    owner: AccountOwner,
    params: { word: string; pin?: string | undefined; receiptId: string },
  ): Promise<DeletionReceipt>;
  /** Throws `account.receipt_unknown`. */
  receipt(receiptId: string): Promise<DeletionReceipt>;
  /**
   * Carries over the self-exclusion of a deleted account of the same wallet: deletion must not end
   * it.
   */
  created(userId: string): Promise<void>;
  jobs: readonly Job[];
}

/** Export and deletion of a person's whole account (docs/rules/personal-data.md). */
export function createAccount(ctx: AppContext, deps: AccountDeps): Account {
  const { database, clock, realClock, messages } = ctx;
  const { db } = database;
  let joinedData: PersonalData[] | null = null;
  const personalData = () => {
    joinedData ??= joinByName(deps.contributions.personalData.flat());
    return joinedData;
  };
  const deletion = createDeletion(ctx, deps, personalData);
  const wordIn = (language: Locale) => messages.format(language, "personal-data.delete.word");
  return {
    jobs: [
      { name: "account.deletion", everySeconds: 10, run: deletion.resume },
    ] satisfies readonly Job[],
    personalData,
    export: (userId, language) => exportPerson(ctx, personalData(), userId, language),
    preview: async (owner, language) => {
      const now = { worldMs: clock.nowMs(), realMs: realClock.nowMs() };
      const waitingDeletion = await readWaitingDeletion(db, deps, owner.userId, now);
      const pin = await deps.pin.state(owner);
      return {
        word: wordIn(language),
        pin_required: pin.set,
        sign_in_again: !pin.set && pin.freshUntilMs === null,
        sessions: waitingDeletion.sessions,
        withdrawals_cancelled: waitingDeletion.withdrawals.length,
        recharges_cancelled: waitingDeletion.recharges.length,
        withdrawals_leaving: waitingDeletion.withdrawals_leaving,
        running: await countRunning(deps.contributions, waitingDeletion.attempt_ids),
        postings_kept: await countPostings(db, owner.userId),
        exclusion: await deps.contracts.limits.barredAfterDeletion(db, owner.userId, now.realMs),
      };
    },
    delete: async (owner, { word, pin, receiptId }) => {
      const answer = foldCase(word);
      if (!locales.some((language) => foldCase(wordIn(language)) === answer)) {
        throw new ApiError("account.word_wrong");
      }
      const { set, freshUntilMs } = await deps.pin.state(owner);
      // A session left open must not be enough to erase the account.
      if (set) await deps.pin.check(owner, pin);
      else if (freshUntilMs === null) throw new ApiError("account.sign_in_again");
      return await deletion.run(owner.userId, receiptId);
    },
    receipt: deletion.receipt,
    created: async (userId) => {
      const addressIndex = await deps.session.mapping.addressIndex(db, userId);
      const exclusion =
        addressIndex && (await readRetainedExclusion(db, addressIndex, realClock.nowMs()));
      if (!exclusion) return;
      await deps.contracts.limits.takeOver(userId, exclusion);
      await deleteRetainedExclusion(db, addressIndex);
    },
  };
}

async function countRunning(
  { attempts }: AccountDeps["contributions"],
  attemptIds: string[],
): Promise<RunningPositions> {
  const counts: RunningPositions = { contract: 0, hosting: 0, mining: 0 };
  for (const { running } of attempts) {
    if (!running) continue;
    for (const { count } of (await running.read(attemptIds)).values())
      counts[running.product] += count;
  }
  return counts;
}

function foldCase(word: string): string {
  return word.normalize("NFKC").trim().toLowerCase();
}
