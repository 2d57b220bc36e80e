import type { Call } from "#api/call.ts";
import { calls as contracts } from "#api/contracts.ts";
import { calls as index } from "#api/index.ts";
import { calls as log } from "#api/log.ts";
import { calls as session } from "#api/session.ts";
import { calls as wallet } from "#api/wallet.ts";

/** Every call of the wire. OpenAPI and the route table test read this list; a call that is not here does not exist. */
export const calls: readonly Call[] = [index, session, wallet, contracts, log].flatMap(
  (domain) => Object.values(domain) as unknown as Call[],
);
