import type { Call, InputOf } from "#api/call.ts";
import * as api from "#api/operator/people.ts";
import * as own from "#api/viewing.ts";
import type { ActName } from "#core/operator/auditEvents.ts";
import type { ViewedPart } from "#core/operator/viewing.ts";
import type { PersonState, ViewedPerson } from "#server/operator/people/deps.ts";
import type { People } from "#server/operator/people/people.ts";
import type { Viewing, Viewings } from "#server/operator/people/viewings.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App } from "#server/platform/http/context.ts";
import {
  type OperatorContext,
  type OperatorHandler,
  operatorRoute,
} from "#server/platform/http/operatorRoute.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts the calls of `api/viewing.ts` and `api/operator/people.ts`. */
export function peopleRoutes(app: App, people: People): void {
  mountOwn(app, people.viewings);
  mountViewings(app, people);
  mountReads(app, people);
  mountDeeds(app, people);
}

/** The person's own side. */
function mountOwn(app: App, viewings: Viewings): void {
  const { realClock } = app.platform.parts;
  route(app, own.makeViewCode, async (_input, { session }) => {
    const { code, expiresAtMs } = await viewings.makeCode(session.userId);
    return { code, expires_at_ms: expiresAtMs, now_ms: realClock.nowMs() };
  });
  route(app, own.getViewings, async (_input, { session }) => {
    const { open, codeUntilMs } = await viewings.of(session.userId);
    return {
      items: open.map((one) => ({
        viewing_id: one.viewingId,
        role: one.role,
        opened_at_ms: one.openedAtMs,
        ends_at_ms: one.endsAtMs,
      })),
      code_until_ms: codeUntilMs,
      now_ms: realClock.nowMs(),
    };
  });
  route(app, own.endViewings, async (_input, { session }) => ({
    ended: await viewings.endAll(session.userId),
  }));
}

async function requirePerson(
  { session }: People,
  userId: string,
  tx?: Tx,
): Promise<api.PersonView> {
  const found = await session.person(userId, tx);
  if (!found) throw new Refusal("people.unknown");
  return personView(userId, found);
}

function personView(userId: string, state: PersonState): api.PersonView {
  return {
    user_id: userId,
    since_ms: state.sinceMs,
    suspended_at_ms: state.suspendedAtMs,
    sessions: state.sessions,
  };
}

function mountViewings(app: App, people: People): void {
  const { viewings } = people;
  const { realClock } = app.platform.parts;
  const viewOf = async (one: Viewing, tx?: Tx): Promise<api.OpenViewing> => ({
    viewing_id: one.viewingId,
    ends_at_ms: one.endsAtMs,
    now_ms: realClock.nowMs(),
    person: await requirePerson(people, one.userId, tx),
  });
  operatorRoute(app, api.findPerson, async ({ user_id: userId }, { act }) => {
    const found = await requirePerson(people, userId);
    act({ what: "people.found", target: userId, touches: { userId } });
    return found;
  });
  operatorRoute(app, api.openViewing, async ({ code }, { operator, act, tx, afterwards }) => {
    const one = await viewings.open(tx, operator, code);
    act({ what: "people.viewed", target: one.viewingId, touches: { userId: one.userId } });
    afterwards(() => viewings.tell(one.userId));
    return viewOf(one, tx);
  });
  operatorRoute(app, api.findViewing, async ({ viewing_id: id }, { operator, covered }) => {
    const one = await viewings.require(operator, id);
    covered();
    return viewOf(one);
  });
  operatorRoute(
    app,
    api.closeViewing,
    async ({ viewing_id: id }, { operator, act, tx, afterwards }) => {
      const one = await viewings.require(operator, id, tx);
      await viewings.close(tx, one);
      act({ what: "people.view_closed", target: id, touches: { userId: one.userId } });
      afterwards(() => viewings.tell(one.userId));
      return {};
    },
  );
}

const actOf = {
  wallet: "people.viewed_wallet",
  orders: "people.viewed_orders",
  withdrawals: "people.viewed_withdrawals",
  records: "people.viewed_records",
  account: "people.viewed_account",
} as const satisfies Record<ViewedPart, ActName>;

/** Says that a part was opened, before it is read, the first time in a viewing; gives whose pages they are. */
async function look(
  { viewings }: People,
  { operator, actFirst, covered }: OperatorContext,
  viewingId: string,
  part: ViewedPart,
): Promise<string> {
  const one = await viewings.require(operator, viewingId);
  const { userId } = one;
  if (one.parts.includes(part)) covered();
  else {
    await actFirst({ what: actOf[part], target: viewingId, touches: { userId } });
    await viewings.noteOpened(one, part);
  }
  return userId;
}

function mountReads(app: App, people: People): void {
  // Asked of each page at once, so that a page that no module gives is found at the start.
  const mount = <C extends Call>(
    call: C,
    part: ViewedPart,
    read: (who: ViewedPerson, input: InputOf<C>) => ReturnType<OperatorHandler<C>>,
  ) =>
    operatorRoute(app, call, async (input, context) => {
      const { viewing_id: id } = input as { viewing_id: string };
      return read(await people.inAttempt(await look(people, context, id, part)), input);
    });
  mount(api.getPersonWallet, "wallet", people.page("wallet"));
  mount(api.getPersonContractOrders, "orders", people.page("contractOrders"));
  mount(api.getPersonHostingOrders, "orders", people.page("hostingOrders"));
  mount(api.getPersonLeases, "orders", people.page("leases"));
  mount(api.getPersonWithdrawals, "withdrawals", people.page("withdrawals"));
  mount(api.getPersonRecords, "records", people.page("records"));
  mount(api.getPersonAccount, "account", people.page("account"));
}

function mountDeeds(app: App, people: People): void {
  const { session, publishing, withdraw } = people;
  const { realClock } = app.platform.parts;
  operatorRoute(
    app,
    api.endPersonSessions,
    async ({ user_id: userId, why }, { act, tx, afterwards }) => {
      await requirePerson(people, userId, tx);
      const { ended, tell } = await session.endSessionsIn(tx, userId);
      afterwards(tell);
      const details = { ended };
      act({ what: "people.sessions_ended", target: userId, why, touches: { userId }, details });
      return { ended, person: await requirePerson(people, userId, tx) };
    },
  );
  operatorRoute(
    app,
    api.setSuspended,
    async ({ user_id: userId, suspended, why }, { act, tx, afterwards }) => {
      await requirePerson(people, userId, tx);
      const atMs = suspended ? realClock.nowMs() : null;
      const { changed, tell } = await session.setSuspended(tx, userId, atMs);
      // Somebody else did it first: nothing is written twice, and this operator is told.
      if (!changed) throw new Refusal("people.changed_meanwhile");
      afterwards(tell);
      const what = suspended ? "people.suspended" : "people.resumed";
      act({ what, target: userId, why, touches: { userId } });
      return { person: await requirePerson(people, userId, tx) };
    },
  );
  operatorRoute(
    app,
    api.setSupportLink,
    async ({ user_id: userId, link_id: linkId, why }, { act, tx }) => {
      await requirePerson(people, userId, tx);
      const url = linkId === null ? null : await publishing.links.supportUrl(linkId, tx);
      if (linkId !== null && url === null) throw new Refusal("people.link_unknown");
      await session.setSupportUrl(tx, userId, url);
      const what = url === null ? "people.support_link_removed" : "people.support_link_set";
      const details = { link_id: linkId };
      act({ what, target: userId, why, touches: { userId }, details });
      return { support_url: url };
    },
  );
  operatorRoute(
    app,
    api.payNow,
    async ({ withdrawal_id: id, why }, { operator, act, tx, afterwards }) => {
      const found = await withdraw.ownerOf(id, tx);
      if (!found) throw new Refusal("withdraw.unknown");
      if (found.over) throw new Refusal("people.withdrawal_over");
      act({ what: "people.paid_now", target: id, why, touches: { userId: found.userId } });
      const { operatorId, role } = operator;
      const tell = await withdraw.payNow(tx, id, { operatorId, role, reason: why });
      if (tell) afterwards(tell);
      return { paid: tell !== null };
    },
  );
}
