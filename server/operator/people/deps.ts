import type { AnswerOf, InputOf } from "#api/call.ts";
import type { getOrderList as contractOrders } from "#api/contracts.ts";
import type { getOrderList as hostingOrders } from "#api/hosting.ts";
import type { getOrderList as leases } from "#api/mining.ts";
import type * as api from "#api/operator/people.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** A person's account that exists and was not deleted. */
export interface PersonState {
  sinceMs: number;
  suspendedAtMs: number | null;
  sessions: number;
}

type Page = Omit<InputOf<typeof api.getPersonRecords>, "viewing_id">;

/** A person in their current attempt. */
export interface ViewedPerson {
  userId: string;
  attemptId: string;
  attemptNumber: number;
}

/** The pages a person sees, read for an operator to whom they gave a code. */
export interface PersonPages {
  wallet(person: ViewedPerson): Promise<AnswerOf<typeof api.getPersonWallet>>;
  contractOrders(person: ViewedPerson, page: Page): Promise<AnswerOf<typeof contractOrders>>;
  hostingOrders(person: ViewedPerson, page: Page): Promise<AnswerOf<typeof hostingOrders>>;
  leases(person: ViewedPerson, page: Page): Promise<AnswerOf<typeof leases>>;
  withdrawals(person: ViewedPerson, page: Page): Promise<AnswerOf<typeof api.getPersonWithdrawals>>;
  records(person: ViewedPerson, page: Page): Promise<AnswerOf<typeof api.getPersonRecords>>;
  account(person: ViewedPerson): Promise<AnswerOf<typeof api.getPersonAccount>>;
}

/** The notification to send once an action is committed. */
type Notification<Result> = Result & { notify: () => void };

/**
 * The operations of other domains that the console may use on a person. Nothing here posts, prices,
 * settles or rejects.
 */
export interface PeopleDeps {
  session: {
    person(userId: string, tx?: Tx): Promise<PersonState | null>;
    user(userId: string): Promise<ViewedPerson>;
    endSessionsIn(tx: Tx, userId: string): Promise<Notification<{ ended: number }>>;
    /** Null: no longer exists. `changed` is false if it was already so. */
    setSuspended(
      tx: Tx,
      userId: string,
      atMs: number | null,
    ): Promise<Notification<{ changed: boolean }>>;
    setSupportUrl(tx: Tx, userId: string, url: string | null): Promise<void>;
  };
  /** The URL of a support link that is currently published. */
  publishing: { links: { supportUrl(linkId: string, tx: Tx): Promise<string | null> } };
  withdraw: {
    /** The withdrawal's owner, and true once it is over; null if there is no such withdrawal. */
    ownerOf(id: string, tx: Tx): Promise<{ userId: string; over: boolean } | null>;
    /**
     * Only ever earlier. Null: it was already over; otherwise the notification to send after the
     * commit.
     */
    payNow(
      tx: Tx,
      id: string,
      act: { operatorId: string; role: string; reason: string },
    ): Promise<(() => void) | null>;
  };
  contributions: { readonly personPages: readonly Partial<PersonPages>[] };
}
