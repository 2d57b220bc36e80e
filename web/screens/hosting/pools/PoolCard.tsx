import type { ReactNode } from "react";
import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Link } from "#ui/router.tsx";
import { buildPoolPath, Moved, usePoolName } from "../figures.tsx";
import { Legend, type Line, Lines } from "../Lines.tsx";

/**
 * A pool at a glance: what it does in a sentence, the person's own part, its line against buy and hold, its largest loss, its trading costs, its good
 * and bad days.
 */
export function PoolCard({ pool }: { pool: Pool }) {
  const t = useText();
  const { name, places } = usePoolName();
  const lines: Line[] = [
    { look: "dashed", dots: pool.spark.map(([ms, , hold]) => [ms, Number(hold)] as const) },
    { look: "strong", dots: pool.spark.map(([ms, nav]) => [ms, Number(nav)] as const) },
  ];
  return (
    <article className="relative rounded-dock border border-line bg-leaf p-4 transition-colors hover:bg-well">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-strong">
            <Link
              to={buildPoolPath(pool.product_id)}
              className="after:absolute after:inset-0 after:rounded-dock"
            >
              {name(pool.strategy)}
            </Link>
          </h3>
          <p className="text-small break-words text-ink-faint">{places(pool)}</p>
        </div>
        {pool.state === "open" ? null : (
          <Badge tone="warning">{t(`hosting.state.${pool.state}`)}</Badge>
        )}
      </div>
      <p className="mt-2">{t(`hosting.${pool.strategy}_short`)}</p>
      {pool.mine ? (
        <p className="mt-2 flex items-baseline justify-between gap-3 border-y border-line py-2 text-small">
          <span className="text-ink-soft">{t("hosting.mine")}</span>
          <span className="font-strong">
            <Amount short="worth" value={pool.mine.value} coin={pool.coin} />
          </span>
        </p>
      ) : null}
      <dl className="mt-3 grid grid-cols-2 gap-x-4">
        <Fact label={t("hosting.return")}>
          <Moved bp={pool.return_bp} className="text-title font-strong" />
        </Fact>
        <Fact label={t("hosting.drawdown")}>
          <Moved bp={pool.drawdown_bp} className="text-title font-strong" />
        </Fact>
      </dl>
      {pool.spark.length > 1 ? (
        <div className="mt-3 flex flex-col gap-2">
          <Lines lines={lines} height={64} />
          <Legend
            items={[
              { look: "strong", text: t("hosting.nav") },
              { look: "dashed", text: t("hosting.hold_line") },
            ]}
          />
        </div>
      ) : (
        <p className="mt-3 text-small text-ink-soft">{t("hosting.no_mark")}</p>
      )}
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
        <Fact label={t("hosting.hold_return")}>
          <Moved bp={pool.hold_return_bp} />
        </Fact>
        <Fact label={t("hosting.trades")}>{pool.trades}</Fact>
        <Fact label={t("hosting.days.losing")}>
          <span className={pool.days.losing > 0 ? "text-fall" : undefined}>{pool.days.losing}</span>
        </Fact>
        <Fact label={t("hosting.days.winning")}>
          <span className={pool.days.winning > 0 ? "text-rise" : undefined}>
            {pool.days.winning}
          </span>
        </Fact>
        <Fact label={t("hosting.fees_paid")}>
          <Amount short="cost" value={pool.fees_paid} coin={pool.coin} className="text-small" />
        </Fact>
        <Fact label={t("hosting.hosted")}>
          <Amount short="worth" value={pool.hosted} coin={pool.coin} className="text-small" />
        </Fact>
      </dl>
    </article>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-caption text-ink-faint">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
