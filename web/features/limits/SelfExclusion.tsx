import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { getSelfLimits } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Shows `children`, or, when this person has excluded themselves, until when. */
export function SelfExclusion({ children }: { children: ReactNode }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { status } = useSession();
  const limits = useApiQuery(getSelfLimits, {}, { enabled: status === "signed_in" });
  const { excluded_for_good: forGood = false, excluded_until_ms: untilMs = null } =
    limits.data ?? {};
  // The server decides by its own clock; this only repeats its answer.
  if (!forGood && untilMs === null) return children;
  return (
    <p className="mt-4 text-small text-warning">
      {forGood
        ? t("contracts.ticket.excludedForGood")
        : t("contracts.ticket.excluded", {
            date: formatDate(untilMs ?? 0, { dateStyle: "medium", timeStyle: "short" }),
          })}
    </p>
  );
}
