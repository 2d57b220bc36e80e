import type { Call, InputOf } from "#api/call.ts";
import * as api from "#api/operator/people.ts";
import * as own from "#api/viewing.ts";
import type { AuditEventName } from "#core/operator/auditEvents.ts";
import type { ViewedSection } from "#core/operator/viewing.ts";
import type { PersonState, ViewedPerson } from "#server/operator/people/deps.ts";
import type { People } from "#server/operator/people/people.ts";
import type { Viewing, Viewings } from "#server/operator/people/viewings.ts";
import { ApiError } from "#server/platform/apiError.ts";
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
  mountSelf(app, people.viewings);
  mountViewings(app, people);
  mountReads(app, people);
  mountActions(app, people);
}

/** The person's own side. */
function mountSelf(app: App, viewings: Viewings): void {
  const { realClock } = app.platform.ctx;
  route(app, own.makeViewCode, async (_input, { session }) => {
    const { code, expiresAtMs } = await viewings.makeCode(session.userId);
    return { code, expires_at_ms: expiresAtMs, now_ms: realClock.nowMs() };
  });
  route(app, own.getViewings, async (_input, { session }) => {
    const { open, codeUntilMs } = await viewings.of(session.userId);
    return {
      items: open.map((viewing) => ({
        viewing_id: viewing.viewingId,
        role: viewing.role,
        opened_at_ms: viewing.openedAtMs,
        ends_at_ms: viewing.endsAtMs,
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
  const personState = await session.person(userId, tx);
  if (!personState) throw new ApiError("people.unknown");
  return toPersonView(userId, personState);
}

function toPersonView(userId: string, state: PersonState): api.PersonView {
  return {
    user_id: userId,
    since_ms: state.sinceMs,
    suspended_at_ms: state.suspendedAtMs,
    sessions: state.sessions,
  };
}

function mountViewings(app: App, people: People): void {
  const { viewings } = people;
  const { realClock } = app.platform.ctx;
  const toView = async (viewing: Viewing, tx?: Tx): Promise<api.OpenViewing> => ({
    viewing_id: viewing.viewingId,
    ends_at_ms: viewing.endsAtMs,
    now_ms: realClock.nowMs(),
    person: await requirePerson(people, viewing.userId, tx),
  });
  operatorRoute(app, api.findPerson, async ({ user_id: userId }, { audit }) => {
    const personRow = await requirePerson(people, userId);
    audit({ what: "people.found", target: userId, touches: { userId } });
    return personRow;
  });
  operatorRoute(app, api.openViewing, async ({ code }, { operator, audit, tx, afterCommit }) => {
    const viewing = await viewings.open(tx, operator, code);
    audit({
      what: "people.viewed",
      target: viewing.viewingId,
      touches: { userId: viewing.userId },
    });
    afterCommit(() => viewings.notify(viewing.userId));
    return toView(viewing, tx);
  });
  operatorRoute(app, api.findViewing, async ({ viewing_id: id }, { operator, alreadyAudited }) => {
    const viewing = await viewings.require(operator, id);
    alreadyAudited();
    return toView(viewing);
  });
  operatorRoute(
    app,
    api.closeViewing,
    async ({ viewing_id: id }, { operator, audit, tx, afterCommit }) => {
      const viewing = await viewings.require(operator, id, tx);
      await viewings.close(tx, viewing);
      audit({ what: "people.view_closed", target: id, touches: { userId: viewing.userId } });
      afterCommit(() => viewings.notify(viewing.userId));
      return {};
    },
  );
}

const auditEventOf = {
  wallet: "people.viewed_wallet",
  orders: "people.viewed_orders",
  withdrawals: "people.viewed_withdrawals",
  records: "people.viewed_records",
  account: "people.viewed_account",
} as const satisfies Record<ViewedSection, AuditEventName>;

/**
 * Records that a part was opened, before it is read, the first time in a viewing; returns whose
 * pages they are.
 */
async function readViewed(
  { viewings }: People,
  { operator, auditBefore, alreadyAudited }: OperatorContext,
  viewingId: string,
  part: ViewedSection,
): Promise<string> {
  const viewing = await viewings.require(operator, viewingId);
  const { userId } = viewing;
  if (viewing.parts.includes(part)) alreadyAudited();
  else {
    await auditBefore({ what: auditEventOf[part], target: viewingId, touches: { userId } });
    await viewings.recordOpened(viewing, part);
  }
  return userId;
}

function mountReads(app: App, people: People): void {
  // Resolves each page now, so that one that no module provides is found at startup.
  const mount = <C extends Call>(
    call: C,
    part: ViewedSection,
    readView: (person: ViewedPerson, input: InputOf<C>) => ReturnType<OperatorHandler<C>>,
  ) =>
    operatorRoute(app, call, async (input, context) => {
      const { viewing_id: id } = input as { viewing_id: string };
      return readView(await people.inAttempt(await readViewed(people, context, id, part)), input);
    });
  mount(api.getPersonWallet, "wallet", people.page("wallet"));
  mount(api.getPersonContractOrders, "orders", people.page("contractOrders"));
  mount(api.getPersonHostingOrders, "orders", people.page("hostingOrders"));
  mount(api.getPersonLeases, "orders", people.page("leases"));
  mount(api.getPersonWithdrawals, "withdrawals", people.page("withdrawals"));
  mount(api.getPersonRecords, "records", people.page("records"));
  mount(api.getPersonAccount, "account", people.page("account"));
}

function mountActions(app: App, people: People): void {
  const { session, publishing, withdraw } = people;
  const { realClock } = app.platform.ctx;
  operatorRoute(
    app,
    api.endPersonSessions,
    async ({ user_id: userId, why }, { audit, tx, afterCommit }) => {
      await requirePerson(people, userId, tx);
      const { ended, notify } = await session.endSessionsIn(tx, userId);
      afterCommit(notify);
      const details = { ended };
      audit({ what: "people.sessions_ended", target: userId, why, touches: { userId }, details });
      return { ended, person: await requirePerson(people, userId, tx) };
    },
  );
  operatorRoute(
    app,
    api.setSuspended,
    async ({ user_id: userId, suspended, why }, { audit, tx, afterCommit }) => {
      await requirePerson(people, userId, tx);
      const atMs = suspended ? realClock.nowMs() : null;
      const { changed, notify } = await session.setSuspended(tx, userId, atMs);
      // Another operator did it first: nothing is written twice, and this operator gets an error.
      if (!changed) throw new ApiError("people.changed_meanwhile");
      afterCommit(notify);
      const eventName = suspended ? "people.suspended" : "people.resumed";
      audit({ what: eventName, target: userId, why, touches: { userId } });
      return { person: await requirePerson(people, userId, tx) };
    },
  );
  operatorRoute(
    app,
    api.setSupportLink,
    async ({ user_id: userId, link_id: linkId, why }, { audit, tx }) => {
      await requirePerson(people, userId, tx);
      const url = linkId === null ? null : await publishing.links.supportUrl(linkId, tx);
      if (linkId !== null && url === null) throw new ApiError("people.link_unknown");
      await session.setSupportUrl(tx, userId, url);
      const eventName = url === null ? "people.support_link_removed" : "people.support_link_set";
      const details = { link_id: linkId };
      audit({ what: eventName, target: userId, why, touches: { userId }, details });
      return { support_url: url };
    },
  );
  operatorRoute(
    app,
    api.payNow,
    async ({ withdrawal_id: id, why }, { operator, audit, tx, afterCommit }) => {
      const owner = await withdraw.ownerOf(id, tx);
      if (!owner) throw new ApiError("withdraw.unknown");
      if (owner.over) throw new ApiError("people.withdrawal_over");
      const { operatorId, role } = operator;
      const notify = await withdraw.payNow(tx, id, { operatorId, role, reason: why });
      // It left on schedule, or another operator paid it, while this call waited for its lock.
      if (!notify) throw new ApiError("people.withdrawal_over");
      audit({ what: "people.paid_now", target: id, why, touches: { userId: owner.userId } });
      afterCommit(notify);
      return {};
    },
  );
}
