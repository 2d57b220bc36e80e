import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Explained } from "#ui/Explained.tsx";
import { Figure, Moved, useFormatWorldTime, usePoolName } from "../figures.tsx";
import { MarketDescription } from "../MarketDescription.tsx";

/** Value per unit at the last mark, with return and drawdown at the same size. */
export function PoolHeader({ pool }: { pool: Pool }) {
  const t = useText();
  const { places } = usePoolName();
  const formatWorldTime = useFormatWorldTime();
  return (
    <div className="px-4">
      <p className="pb-2">{t(`hosting.${pool.strategy}_short`)}</p>
      <p className="text-small text-ink-soft">
        <Explained text={t("hosting.word.venue")}>{places(pool)}</Explained>
      </p>
      {pool.state === "open" ? null : (
        <p className="pt-2">
          <Badge tone="warning">{t(`hosting.state.${pool.state}`)}</Badge>
        </p>
      )}
      {pool.mark ? (
        <>
          <p className="pt-3 text-small text-ink-soft">
            <Explained text={t("hosting.word.nav")}>{t("hosting.nav")}</Explained>
          </p>
          <p className="text-figure font-strong tracking-tight">
            <Figure value={pool.mark.nav} />
          </p>
          <p className="text-small text-ink-faint">
            {t("hosting.mark_at", { when: formatWorldTime(pool.mark.at_ms) })}
          </p>
        </>
      ) : (
        <p className="pt-3">{t("hosting.no_mark")}</p>
      )}
      {pool.waiting_for ? (
        <p className="pt-2 text-small text-warning">{t(`hosting.waiting.${pool.waiting_for}`)}</p>
      ) : null}
      <dl className="my-3 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-small text-ink-soft">{t("hosting.return")}</dt>
          <dd className="text-title font-strong">
            <Moved bp={pool.return_bp} />
          </dd>
        </div>
        <div>
          <dt className="text-small text-ink-soft">
            <Explained text={t("hosting.word.drawdown")}>{t("hosting.drawdown")}</Explained>
          </dt>
          <dd className="text-title font-strong">
            <Moved bp={pool.drawdown_bp} />
          </dd>
        </div>
      </dl>
      <MarketDescription market={pool.market} />
    </div>
  );
}
