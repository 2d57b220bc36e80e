import { FormattedNumber } from "react-intl";
import type { Machine } from "#api/mining.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Link } from "#ui/router.tsx";

/**
 * One machine: its specification, its price per day, what a day would earn, and whether it ever
 * breaks even.
 */
export function MachineRow({ machine }: { machine: Machine }) {
  const t = useText();
  const { expected } = machine;
  return (
    <article className="px-4 py-4" aria-label={`${machine.maker} ${machine.model}`}>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-strong">{machine.model}</h3>
          <p className="text-small text-ink-faint">
            <FormattedNumber value={Number(machine.hashrate_ths)} /> TH/s ·{" "}
            <FormattedNumber value={machine.power_w} /> W ·{" "}
            <FormattedNumber value={Number(machine.joules_per_th)} /> J/TH
          </p>
        </div>
        {machine.stock_left === 0 ? (
          <span className="min-h-11 content-center text-small text-ink-faint">
            {t("mining.soldOut")}
          </span>
        ) : (
          <Link
            to={`/mining/mechine-buy?product_id=${encodeURIComponent(machine.product_id)}`}
            className={buttonClass({ variant: "outline", size: "small" })}
            aria-label={t("mining.look.at", { model: machine.model })}
          >
            {t("mining.look")}
          </Link>
        )}
      </div>
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-small">
        <dt className="text-ink-soft">{t("mining.pricePerDay")}</dt>
        <dd className="text-right">
          <Amount short="cost" value={machine.price_per_day} coin="pUSDT" />
        </dd>
        <dt className="text-ink-soft">{t("mining.powerPerDay")}</dt>
        <dd className="text-right">
          <Amount short="cost" value={machine.power_per_day} coin="pUSDT" />
        </dd>
        {expected ? (
          <>
            <dt className="text-ink-soft">{t("mining.wouldBring")}</dt>
            <dd className="text-right">
              <Amount short="worth" value={expected.worth} coin="pUSDT" />
            </dd>
            <dt className="font-strong">{t("mining.leaves")}</dt>
            <dd className="text-right font-strong">
              <Amount short="worth" value={expected.net} coin="pUSDT" signed toned />
            </dd>
          </>
        ) : null}
      </dl>
      <p className="mt-2 text-small text-ink-soft">
        {expected === null
          ? t("mining.noPrice")
          : expected.net.startsWith("-")
            ? t("mining.never")
            : t("mining.coversToday")}
      </p>
    </article>
  );
}
