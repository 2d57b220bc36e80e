import { sql } from "kysely";
import type { TellPerson } from "#server/operator/auditEvents.ts";
import type { Prove } from "#server/operator/elevation.ts";
import { createOperator, type OperatorService } from "#server/operator/operator.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import { createMessages, readLanguage } from "#server/platform/http/language.ts";
import type { Records } from "#server/records/records.ts";
import type { SessionService } from "#server/session/session.ts";
import { mismatchOf, signatureKind, signerOf } from "#server/session/verify.ts";

/** Operators, with the rules of signing in for raising powers, and the records of whom they touch. */
export function wireOperator(
  parts: Parts,
  { session, records }: { session: SessionService; records: Records },
): OperatorService {
  return createOperator(parts, {
    addressOf: async (userId, tx) => {
      const { address } = await session.user(userId, tx);
      if (address === null) throw new Refusal("session.required");
      return address;
    },
    prove,
    tellPerson: tellIn(records),
  });
}

const prove: Prove = async ({ message, text, signature }, expected) => {
  const field = mismatchOf(message, expected);
  if (field === "expired") throw new Refusal("session.nonce_expired");
  if (field !== null) throw new Refusal("session.message_mismatch", { field });
  const kind = signatureKind(signature);
  if (kind === "contract") throw new Refusal("session.contract_wallet");
  const signer = kind === "key" ? await signerOf(text, signature) : null;
  if (signer !== expected.address) throw new Refusal("session.signature_wrong");
};

/** In the language that the person last used: what stands in records is not rewritten later. */
function tellIn(records: Records): TellPerson {
  const messages = createMessages();
  return async (tx, { userId, role, what, why }) => {
    const { rows } = await sql<{ language: string }>`
      select language from user_account where user_id = ${userId}`.execute(tx);
    const language = readLanguage(rows[0]?.language);
    const say = (key: string) => messages.say(language, key);
    await records.recordAct(
      {
        userId,
        role: say(`powers.role.${role}`),
        what: say(`acts.${what}`).slice(0, 200),
        why: why || say("acts.no_reason"),
      },
      tx,
    );
  };
}
