import { isCommonPassphrase, parsePassphrase } from "#core/operator/passphrase.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import {
  createSecretHasher,
  type SecretHash,
  type SecretHasher,
} from "#server/platform/crypto/secretHash.ts";
import { createStoredSecrets, toWaitValues } from "#server/platform/crypto/storedSecrets.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createPersonQueue } from "#server/platform/personQueue.ts";

export interface Passphrases {
  /** Throws `operator.passphrase_length` or `operator.passphrase_common`. */
  make(typed: string): Promise<SecretHash>;
  set(tx: Tx, operatorId: string, hash: SecretHash): Promise<void>;
  remove(tx: Tx, operatorId: string): Promise<void>;
  /** When it was set; null if there is none. */
  setAtMs(db: Db, operatorId: string): Promise<number | null>;
  /**
   * Returns when the correct passphrase was set. Throws `operator.passphrase_wrong`, or
   * `operator.passphrase_locked` during the delay after wrong attempts, which are those of the PIN
   * (docs/rules/wallet.md). Must not run in a transaction that may be rolled back.
   */
  check(operatorId: string, typed: string): Promise<number>;
}

/** Attempts of one operator that may wait for their turn in a process. */
const waitingMax = 10;

/** Operators' passphrases: only their slow hashes are stored, computed in a separate queue. */
export function createPassphrases(
  ctx: Pick<AppContext, "database" | "realClock">,
  hasher: SecretHasher = createSecretHasher(),
): Passphrases {
  const names = { table: "operator_passphrase", key: "operator_id" };
  const secrets = createStoredSecrets(ctx, names, hasher);
  // Concurrent right attempts must not count against each other.
  const inTurn = createPersonQueue(waitingMax);
  return {
    make: async (text) => {
      const passphrase = parsePassphrase(text);
      if (passphrase === null) throw new ApiError("operator.passphrase_length");
      if (isCommonPassphrase(passphrase)) throw new ApiError("operator.passphrase_common");
      return hasher.make(passphrase);
    },
    set: (tx, operatorId, hash) => secrets.set(tx, operatorId, hash),
    remove: (tx, operatorId) => secrets.remove(tx, operatorId),
    setAtMs: async (db, operatorId) => (await secrets.state(db, operatorId))?.setAtMs ?? null,
    check: async (operatorId, text) => {
      // A passphrase of a wrong length was never accepted, but counts as an attempt.
      const passphrase = parsePassphrase(text);
      const attempt = await inTurn(operatorId, () => secrets.check(operatorId, passphrase));
      switch (attempt.outcome) {
        case "right":
          return attempt.setAtMs;
        case "wrong":
          throw new ApiError(
            "operator.passphrase_wrong",
            attempt.waitMs > 0 ? toWaitValues(attempt.waitMs) : null,
          );
        case "locked":
          throw new ApiError("operator.passphrase_locked", toWaitValues(attempt.waitMs));
        case "none_set":
          throw new ApiError("operator.proof_required");
      }
    },
  };
}
