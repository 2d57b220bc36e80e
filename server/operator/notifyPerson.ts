import type { Locale } from "#core/locales.ts";
import type { AuditEventOpening, NotifyPerson } from "#server/operator/audit/events.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

export interface NotifyDeps {
  session: { languageOf(tx: Tx, userId: string): Promise<Locale> };
  records: {
    recordAuditEvent(
      event: {
        userId: string;
        role: string;
        what: string;
        why: string;
        opening: AuditEventOpening;
      },
      tx: Tx,
    ): Promise<unknown>;
  };
}

/** In the language that the person last used, because records are not rewritten later. */
export function notifyIn(
  { messages }: Pick<AppContext, "messages">,
  { session, records }: NotifyDeps,
): NotifyPerson {
  return async (tx, { userId, role, what, why, opening }) => {
    const language = await session.languageOf(tx, userId);
    const translate = (key: string) => messages.format(language, key);
    await records.recordAuditEvent(
      {
        userId,
        role: translate(`permissions.role.${role}`),
        what: translate(`audit.${what}`).slice(0, 200),
        why: why || translate("audit.no_reason"),
        opening,
      },
      tx,
    );
  };
}
