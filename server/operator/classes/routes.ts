import * as api from "#api/operator/classes.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { dayMs } from "#core/money/time.ts";
import type { ClassClock } from "#server/operator/classes/classClock.ts";
import type { ClassDeps, ClassLinkState } from "#server/operator/classes/deps.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Maximum length of a label in characters, after trimming. */
const labelMax = 60;
/** The furthest expiry of a link, in real time. */
const yearMs = 366 * dayMs;
/** Mounts the calls of `api/operator/classes.ts`. */
export function classRoutes(app: App, deps: ClassDeps, classClock: ClassClock): void {
  const { realClock } = app.platform.ctx;
  operatorRoute(app, api.getClass, async () => {
    const [links, contractsOn, signUp, { nowMs, speed, pause }] = await Promise.all([
      deps.invites.classes.listClassLinks(),
      deps.contracts.isEnabled(),
      deps.session.signUp.read(),
      classClock.read(),
    ]);
    return {
      links: links.map(toLinkView),
      contracts_on: contractsOn,
      sign_up: signUp,
      clock: {
        now_ms: nowMs,
        speed,
        can_pause: classClock.canPause(),
        pause: pause && { ordinal: pause.ordinal, at_ms: pause.atMs },
      },
      now_ms: realClock.nowMs(),
    };
  });
  mountLinks(app, deps);
  mountSwitches(app, deps);
  mountClock(app, classClock);
  operatorRoute(
    app,
    api.announce,
    async ({ id, type, language, title, text, until_ms: untilMs }, { operator, audit, tx }) => {
      if (!isUuid(id)) throw new ApiError("publishing.unknown");
      const texts = { title: type === "bar" ? "" : title, text };
      const body = {
        type,
        severity: "plain" as const,
        from_ms: null,
        until_ms: untilMs,
        languages: { [language]: texts },
      };
      await deps.publishing.notices.announce(tx, { id, body, by: operator.operatorId });
      audit({ what: "class.announced", target: id, details: { type, language } });
      return { id };
    },
  );
}

function toLinkView(link: ClassLinkState): api.ClassLinkView {
  return {
    class_id: link.classId,
    code: link.code,
    label: link.label,
    made_at_ms: link.createdAtMs,
    expires_at_ms: link.expiresAtMs,
    closed_at_ms: link.closedAtMs,
    limit: link.limit,
    joined: link.joined,
    finished: link.finished,
  };
}

function mountLinks(app: App, deps: ClassDeps): void {
  const { realClock } = app.platform.ctx;
  operatorRoute(
    app,
    api.makeClassLink,
    async ({ label: labelText, limit, expires_at_ms: expiresAtMs }, { operator, audit, tx }) => {
      const label = labelText.trim();
      const nowMs = realClock.nowMs();
      if (label === "" || Array.from(label).length > labelMax) {
        throw new ApiError("class.label_missing", { maximum: labelMax });
      }
      if (expiresAtMs <= nowMs || expiresAtMs > nowMs + yearMs) {
        throw new ApiError("class.expiry_wrong");
      }
      const byOperator = operator.userId;
      const link = await deps.invites.classes.createClassLink(
        { label, byOperator, expiresAtMs, limit },
        tx,
      );
      const details = { limit, expires_at_ms: expiresAtMs };
      audit({ what: "class.link_made", target: link.classId, details });
      return { link: toLinkView(link) };
    },
  );
  operatorRoute(app, api.closeClassLink, async ({ class_id: classId }, { audit, tx }) => {
    const isClosed = isUuid(classId) && (await deps.invites.classes.closeClassLink(classId, tx));
    if (!isClosed) throw new ApiError("class.link_unknown");
    audit({ what: "class.link_closed", target: classId });
    return {};
  });
}

function mountClock(app: App, classClock: ClassClock): void {
  operatorRoute(app, api.pauseClock, async ({ at_ms: atMs }, { audit, afterCommit, tx }) => {
    const { pause, notify } = await classClock.pause(tx, atMs);
    audit({ what: "class.clock_paused", details: { at_ms: pause.atMs } });
    afterCommit(notify);
    return { pause: { ordinal: pause.ordinal, at_ms: pause.atMs } };
  });
  operatorRoute(app, api.resumeClock, async ({ ordinal }, { audit, afterCommit, tx }) => {
    const { pause, notify } = await classClock.resume(tx, ordinal);
    audit({ what: "class.clock_resumed", details: { at_ms: pause.atMs } });
    afterCommit(notify);
    return {};
  });
}

function mountSwitches(app: App, deps: ClassDeps): void {
  operatorRoute(app, api.setContracts, async ({ on }, { audit, tx }) => {
    if (!(await deps.contracts.setEnabled(tx, on))) throw new ApiError("class.changed_meanwhile");
    audit({ what: on ? "class.contracts_on" : "class.contracts_off" });
    return { on };
  });
  operatorRoute(app, api.setSignUp, async ({ sign_up: requestedState, was }, { audit, tx }) => {
    const now = await deps.session.signUp.read(tx);
    if (now !== was) throw new ApiError("class.changed_meanwhile");
    await deps.session.signUp.write(tx, requestedState);
    audit({ what: "class.sign_up_changed", details: { from: was, to: requestedState } });
    return { sign_up: requestedState };
  });
}
