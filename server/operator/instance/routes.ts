import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import * as api from "#api/operator/instance.ts";
import { clearErrors, readErrors } from "#server/operator/instance/errors.ts";
import type { Instance } from "#server/operator/instance/instance.ts";
import { writeChatLink } from "#server/operator/instance/settings.ts";
import { writeTable } from "#server/operator/instance/tables.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { operatorFileRoute, operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/instance.ts`. */
export function instanceRoutes(app: App, ctx: AppContext, instance: Instance): void {
  const { database, realClock } = ctx;
  operatorRoute(app, api.getInstance, () => instance.view());
  operatorRoute(app, api.getInstanceHistory, () => instance.history());
  operatorRoute(app, api.getErrors, (params) => readErrors(database.db, params, realClock.nowMs()));
  operatorRoute(app, api.clearErrors, async ({ older_than_days: days }, { tx, audit }) => {
    const clearedCount = await clearErrors(tx, days, realClock.nowMs());
    audit({ what: "settings.errors_cleared", details: { days, cleared: clearedCount } });
    return { cleared: clearedCount };
  });
  operatorRoute(app, api.getSettings, () => instance.settings());
  operatorRoute(app, api.setChatLink, async (input, { tx, audit, afterCommit }) => {
    const revision = await writeChatLink(tx, ctx.config, input);
    const link = input.use === "link" ? input.link : null;
    // Its hash is public in the log; the link itself may have to be erased one day.
    const digest = link === null ? null : createHash("sha256").update(link).digest("hex");
    const details = { use: input.use, link, link_sha256: digest };
    audit({ what: "settings.chat_link_set", details });
    afterCommit(() => instance.invalidateChatLink());
    return { revision };
  });
  operatorFileRoute(app, api.exportInstance, ({ table }, { audit }) => {
    audit({ what: "instance.exported", target: table });
    return new FileAnswer(
      `drydock-practice-${table.replace("_", "-")}.csv`,
      "text/csv; charset=utf-8",
      Readable.from(written(ctx, instance, table)),
    );
  });
}

async function* written(...ask: Parameters<typeof writeTable>): AsyncGenerator<string> {
  yield await writeTable(...ask);
}
