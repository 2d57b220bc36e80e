import type { ErrorName } from "#api/errors.ts";
import { errors } from "#api/errors.ts";
import {
  ApiError,
  type Attachment,
  type Client,
  NoAnswerError,
  newKey,
  type TestSession,
} from "#server/testing/client.ts";

export type Answer = Record<string, unknown>;

/** A call that changes something. It is retried with the same key until it is answered. */
export interface Change {
  /** Its name in the results, such as `withdraw`. */
  kind: string;
  person: TestSession;
  path: string;
  input: Record<string, unknown>;
  attachment?: Attachment;
  key: string;
  /** Fields of the answer that a retry must return unchanged; null: all of it. */
  lastingFields: readonly string[] | null;
  /**
   * The change of the person's wallets stated in the answer, by coin in minor units; null or absent
   * when nothing is posted under the key.
   */
  balanceChanges?(answer: Answer): Record<string, string> | null;
  /** The audit event that it writes; absent when it is not a call of the console. */
  act?(answer: Answer): { what: string; target: string | null };
  /** Called once the answer is recorded outside. */
  onAnswer?(answer: Answer): void;
  /** Called on a refusal that no retry changes. */
  onRefusal?(name: string): void;
  /** Removes the cause of a refusal; true if a retry may now succeed. */
  remedy?(name: string): Promise<boolean>;
}

/** A kind of load: the changes that its clients request. */
export interface Mix {
  readonly name: MixName;
  /** The next change of one client, which has one at a time; null: nothing right now. */
  createNext(client: number): Promise<Change | null>;
}

export const mixNames = ["orders", "money", "console"] as const;
export type MixName = (typeof mixNames)[number];

export function findChange(
  kind: string,
  person: TestSession,
  path: string,
  input: Record<string, unknown>,
  rest: Partial<Change> = {},
): Change {
  return { kind, person, path, input, key: newKey(), lastingFields: null, ...rest };
}

/** Refusals that pass only once a machine is returned: a client moves on instead of retrying. */
const untilGivenBack: ReadonlySet<string> = new Set(["mining.sold_out", "mining.own_share_full"]);

/** Returns true if a client that was refused asks again with the same key. */
export function isRetryable(name: string): boolean {
  return errors[name as ErrorName]?.retry === true && !untilGivenBack.has(name);
}

/** The parts of an answer that a retry must return, as comparable text. */
export function describeLasting(change: Change, answer: Answer): string {
  if (change.lastingFields === null) return JSON.stringify(answer);
  return JSON.stringify(
    Object.fromEntries(change.lastingFields.map((name) => [name, answer[name]])),
  );
}

/** Thrown once the load is stopping, out of whatever a client still waits for. */
export class StoppingError extends Error {}

/** Retries a call that changes nothing of value until it is answered. */
export type RetryingCall = <Data>(request: Parameters<Client["call"]>[0]) => Promise<Data>;

export function createRetryingCall(
  client: Client,
  isStopping: () => boolean,
  pause: () => Promise<void>,
): RetryingCall {
  return async (request) => {
    for (;;) {
      if (isStopping()) throw new StoppingError();
      try {
        return await client.call(request);
      } catch (error) {
        const passing =
          error instanceof NoAnswerError || (error instanceof ApiError && isRetryable(error.error));
        if (!passing) throw error;
        await pause();
      }
    }
  };
}
