import { sql } from "kysely";
import type { DeletionReceipt, getDeletion } from "#api/account.ts";
import type { AnswerOf } from "#api/call.ts";
import { createDeletion, type DeletionNeeds } from "#server/account/deletion.ts";
import { exportPerson } from "#server/account/export.ts";
import { countPostings } from "#server/account/postings.ts";
import { readHeld, readWaiting } from "#server/account/store.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import { type Locale, locales, type Messages } from "#server/platform/http/language.ts";

/** Who asks, by session. */
interface Asker {
  userId: string;
  sessionId: string;
}

type Exclusion = { for_good: boolean; until_ms: number | null };

export interface AccountNeeds extends DeletionNeeds {
  messages: Messages;
  pin: {
    state(asker: Asker): Promise<{ set: boolean }>;
    check(asker: Asker, pin: string | undefined): Promise<void>;
  };
  /** What runs in these attempts, over all of them. */
  running(attemptIds: string[]): Promise<{ contract: number; hosting: number; mining: number }>;
  /** Sets one that was brought over from a deleted account. */
  exclude(userId: string, exclusion: Exclusion): Promise<void>;
}

export interface Account {
  /** The bytes of one zip archive. */
  export(userId: string, language: Locale): AsyncGenerator<Uint8Array>;
  /** What deleting would do now. */
  preview(asker: Asker, language: Locale): Promise<AnswerOf<typeof getDeletion>>;
  /** Refuses `account.word_wrong`, or by the PIN. */
  delete(
    asker: Asker,
    wish: { word: string; pin?: string | undefined; receiptId: string },
  ): Promise<DeletionReceipt>;
  /** Refuses `account.receipt_unknown`. */
  receipt(receiptId: string): Promise<DeletionReceipt>;
  /** Takes over what a deleted account of the same wallet must not have ended: a self-exclusion. */
  made(userId: string): Promise<void>;
}

/** A person's whole account: giving it out, and erasing it (docs/rules/personal-data.md). */
export function createAccount(parts: Parts, needs: AccountNeeds): Account {
  const { database, clock, realClock } = parts;
  const { db } = database;
  const { messages } = needs;
  const deletion = createDeletion(parts, needs);
  parts.jobs.every("account.deletion", 10, deletion.resume);
  const wordIn = (language: Locale) => messages.say(language, "account.word");
  return {
    export: (userId, language) =>
      exportPerson({ parts, holdings: needs.holdings, messages }, userId, language),
    preview: async (asker, language) => {
      const now = { worldMs: clock.nowMs(), realMs: realClock.nowMs() };
      const waiting = await readWaiting(db, asker.userId, now);
      return {
        word: wordIn(language),
        pin_required: (await needs.pin.state(asker)).set,
        sessions: waiting.sessions,
        withdrawals_cancelled: waiting.withdrawals.length,
        recharges_cancelled: waiting.recharges.length,
        withdrawals_leaving: waiting.withdrawals_leaving,
        running: await needs.running(waiting.attempt_ids),
        postings_kept: await countPostings(db, asker.userId),
        exclusion: await readHeld(db, asker.userId, now.realMs),
      };
    },
    delete: async (asker, { word, pin, receiptId }) => {
      const typed = folded(word);
      if (!locales.some((language) => folded(wordIn(language)) === typed)) {
        throw new Refusal("account.word_wrong");
      }
      await needs.pin.check(asker, pin);
      return await deletion.run(asker.userId, receiptId);
    },
    receipt: deletion.receipt,
    made: async (userId) => {
      const { rows } = await sql<{ until_ms: bigint | null; for_good: boolean }>`
        select x.until_ms, x.for_good from account_exclusion x
          join user_address a on a.address_mac = x.address_mac
        where a.user_id = ${userId} and (x.for_good or x.until_ms > ${realClock.nowMs()})`.execute(
        db,
      );
      const [row] = rows;
      if (!row) return;
      await needs.exclude(userId, {
        for_good: row.for_good,
        until_ms: row.until_ms === null ? null : Number(row.until_ms),
      });
      await sql`
        delete from account_exclusion
        where address_mac = (select address_mac from user_address where user_id = ${userId})`.execute(
        db,
      );
    },
  };
}

function folded(word: string): string {
  return word.normalize("NFKC").trim().toLowerCase();
}
