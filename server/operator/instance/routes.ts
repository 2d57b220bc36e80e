import { Readable } from "node:stream";
import * as api from "#api/operator/instance.ts";
import { clearErrors, readErrors } from "#server/operator/instance/errors.ts";
import type { Instance } from "#server/operator/instance/instance.ts";
import { writeChatLink } from "#server/operator/instance/settings.ts";
import { writeTable } from "#server/operator/instance/tables.ts";
import type { Parts } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorFileRoute, operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/instance.ts`. */
export function instanceRoutes(app: App, parts: Parts, instance: Instance): void {
  const { database, realClock } = parts;
  operatorRoute(app, api.getInstance, () => instance.view());
  operatorRoute(app, api.getInstanceHistory, () => instance.history());
  operatorRoute(app, api.getErrors, (asked) => readErrors(database.db, asked, realClock.nowMs()));
  operatorRoute(app, api.clearErrors, async ({ older_than_days: days }, { tx, act }) => {
    const cleared = await clearErrors(tx, days, realClock.nowMs());
    act({ what: "settings.errors_cleared", details: { days, cleared } });
    return { cleared };
  });
  operatorRoute(app, api.getSettings, () => instance.settings());
  operatorRoute(app, api.setChatLink, async (input, { tx, act, afterwards }) => {
    const revision = await writeChatLink(tx, parts.config, input);
    const link = input.use === "link" ? input.link : null;
    act({ what: "settings.chat_link_set", details: { use: input.use, link } });
    afterwards(() => instance.forgetChatLink());
    return { revision };
  });
  operatorFileRoute(app, api.exportInstance, ({ table }, { act }) => {
    act({ what: "instance.exported", target: table });
    return {
      name: `drydock-practice-${table.replace("_", "-")}.csv`,
      type: "text/csv; charset=utf-8",
      stream: Readable.from(written(parts, instance, table)),
    };
  });
}

async function* written(...ask: Parameters<typeof writeTable>): AsyncGenerator<string> {
  yield await writeTable(...ask);
}
