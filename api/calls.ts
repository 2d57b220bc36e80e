import { calls as account } from "#api/account.ts";
import { calls as attempts } from "#api/attempts.ts";
import { calls as history } from "#api/backtest.ts";
import { calls as beliefs } from "#api/beliefs.ts";
import type { Call } from "#api/call.ts";
import { calls as classes } from "#api/classes.ts";
import { calls as contracts } from "#api/contracts.ts";
import { calls as exchange } from "#api/exchange.ts";
import { calls as pledge } from "#api/hosting.ts";
import { calls as identity } from "#api/identity.ts";
import { calls as inbox } from "#api/inbox.ts";
import { calls as invites } from "#api/invites.ts";
import { calls as lesson } from "#api/lesson.ts";
import { calls as market } from "#api/market.ts";
import { calls as index } from "#api/meta.ts";
import { calls as machine } from "#api/mining.ts";
import { calls as operatorAudit } from "#api/operator/audit.ts";
import { calls as operatorClasses } from "#api/operator/classes.ts";
import { calls as operatorClassRoom } from "#api/operator/classRoom.ts";
import { calls as operatorDebrief } from "#api/operator/debrief.ts";
import { calls as operatorFactors } from "#api/operator/factors.ts";
import { calls as operatorInstance } from "#api/operator/instance.ts";
import { calls as operatorMembers } from "#api/operator/operators.ts";
import { calls as operatorPeople } from "#api/operator/people.ts";
import { calls as publishing } from "#api/operator/publishing.ts";
import { calls as operatorSession } from "#api/operator/session.ts";
import { calls as operatorWorlds } from "#api/operator/worlds.ts";
import { calls as pin } from "#api/pin.ts";
import { calls as news } from "#api/publishing.ts";
import { calls as receiptLinks } from "#api/receiptLinks.ts";
import { calls as recharge } from "#api/recharge.ts";
import { calls as records } from "#api/records.ts";
import { calls as send } from "#api/send.ts";
import { calls as session } from "#api/session.ts";
import { calls as log } from "#api/transparencyLog.ts";
import { calls as viewing } from "#api/viewing.ts";
import { calls as wallet } from "#api/wallet.ts";
import { calls as withdraw } from "#api/withdraw.ts";

/**
 * Every call of the wire. OpenAPI and the route table test read this list; a call that is not
 * listed here does not exist.
 */
export const calls: readonly Call[] = [
  index,
  session,
  account,
  wallet,
  recharge,
  withdraw,
  exchange,
  send,
  pin,
  attempts,
  records,
  receiptLinks,
  inbox,
  contracts,
  beliefs,
  pledge,
  history,
  machine,
  news,
  publishing,
  identity,
  invites,
  classes,
  lesson,
  log,
  market,
  operatorSession,
  operatorFactors,
  operatorMembers,
  operatorAudit,
  operatorInstance,
  operatorPeople,
  operatorClasses,
  operatorWorlds,
  operatorClassRoom,
  operatorDebrief,
  viewing,
].flatMap((domain) => Object.values<Call>(domain));
