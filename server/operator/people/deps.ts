import type { AnswerOf, InputOf } from "#api/call.ts";
import type { getOrderList as contractOrders } from "#api/contracts.ts";
import type { getOrderList as hostingOrders } from "#api/hosting.ts";
import type { getOrderList as leases } from "#api/mining.ts";
import type * as api from "#api/operator/people.ts";
import type { Bodies } from "#api/operator/publishing.ts";
import type { SignUpState } from "#core/session/signUp.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** One of a person's accounts that is there and was not deleted. */
export interface PersonState {
  sinceMs: number;
  suspendedAtMs: number | null;
  sessions: number;
}

type Page = Omit<InputOf<typeof api.getPersonRecords>, "viewing_id">;

/** What a person sees themselves, read for somebody to whom they gave a code. */
export interface PersonReads {
  wallet(userId: string): Promise<AnswerOf<typeof api.getPersonWallet>>;
  contractOrders(userId: string, page: Page): Promise<AnswerOf<typeof contractOrders>>;
  hostingOrders(userId: string, page: Page): Promise<AnswerOf<typeof hostingOrders>>;
  leases(userId: string, page: Page): Promise<AnswerOf<typeof leases>>;
  withdrawals(userId: string, page: Page): Promise<AnswerOf<typeof api.getPersonWithdrawals>>;
  records(userId: string, page: Page): Promise<AnswerOf<typeof api.getPersonRecords>>;
  account(userId: string): Promise<AnswerOf<typeof api.getPersonAccount>>;
}

/** What happens once a deed is committed. */
type Told<Result> = Result & { tell: () => void };

/** What the console asks other domains to do to a person. There is nothing here that posts, prices, settles or refuses. */
export interface PeopleNeeds {
  find(userId: string, tx?: Tx): Promise<PersonState | null>;
  reads: PersonReads;
  endSessions(tx: Tx, userId: string): Promise<Told<{ ended: number }>>;
  /** Null: not any more. `changed` is false when it stood so already. */
  setSuspended(tx: Tx, userId: string, atMs: number | null): Promise<Told<{ changed: boolean }>>;
  setSupportUrl(tx: Tx, userId: string, url: string | null): Promise<void>;
  /** The address of a support link that is published now. */
  supportUrl(linkId: string, tx: Tx): Promise<string | null>;
  /** Whose withdrawal, and whether it is over; null: there is none such. */
  withdrawal(id: string, tx: Tx): Promise<{ userId: string; over: boolean } | null>;
  /** Only ever sooner. Null: it was over already; else what happens once it is committed. */
  payNow(
    tx: Tx,
    id: string,
    act: { operatorId: string; role: string; reason: string },
  ): Promise<(() => void) | null>;
}

export interface ClassLinkState {
  classId: string;
  code: string;
  label: string | null;
  madeAtMs: number;
  expiresAtMs: number;
  closedAtMs: number | null;
  limit: number;
  joined: number;
  finished: number;
}

/** What a class needs from other domains. */
export interface ClassNeeds {
  links(): Promise<ClassLinkState[]>;
  makeLink(
    tx: Tx,
    wish: { label: string; byOperator: string; expiresAtMs: number; limit: number },
  ): Promise<ClassLinkState>;
  closeLink(tx: Tx, classId: string): Promise<boolean>;
  contracts: {
    areOn(): Promise<boolean>;
    /** False when they stood so already. */
    set(tx: Tx, on: boolean): Promise<boolean>;
  };
  signUp: {
    read(tx?: Tx): Promise<SignUpState>;
    write(tx: Tx, state: SignUpState): Promise<void>;
  };
  /** Publishes a notice now, under the rule of all notices; refuses `publishing.*`. */
  announce(tx: Tx, notice: { id: string; body: Bodies["notice"]; by: string }): Promise<void>;
}
