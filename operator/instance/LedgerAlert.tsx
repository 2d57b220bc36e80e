import { IconAlertTriangle } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import { listUnbalancedCoins } from "./severity.ts";

/** Reports a ledger that does not balance above everything else, with what to do. */
export function LedgerAlert({ view: { ledger } }: { view: InstanceView }) {
  const { locale } = useIntl();
  const t = useText();
  const unbalanced = listUnbalancedCoins(ledger);
  const findingCount = ledger.audit?.findings.length ?? 0;
  if (unbalanced.length === 0 && findingCount === 0) return null;
  return (
    <div
      role="alert"
      className="mx-4 mt-4 flex gap-3 rounded-dock border-2 border-flare bg-flare-wash p-4"
    >
      <IconAlertTriangle size={24} className="shrink-0 text-flare" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-strong text-flare">{t("instance.loud.title")}</p>
        {unbalanced.map(({ coin, total }) => (
          <p key={coin} className="mt-1 break-words">
            {t("instance.loud.trial", { coin, total: formatNumber(total, locale) })}
          </p>
        ))}
        {findingCount > 0 ? (
          <p className="mt-1">{t("instance.loud.audit", { count: findingCount })}</p>
        ) : null}
        <p className="mt-2 text-small">{t("instance.loud.do")}</p>
      </div>
    </div>
  );
}
