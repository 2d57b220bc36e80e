import { useIntl } from "react-intl";
import type { Preview } from "#api/operator/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

/** Bounds of what a coin flip may return per 100 staked (docs/rules/contracts.md). */
const returnMin = 90;
const returnMax = 98;

/** A tier's key figures: the return of a coin flip, the break-even, the average cost. */
export function TierFigures({
  path,
  figures,
  isStale,
}: {
  path: string;
  figures: Preview["figures"];
  isStale: boolean;
}) {
  const { locale } = useIntl();
  const t = useText();
  const tierFigures = figures.filter((figure) => figure.at === path);
  const getFigure = (name: string) => tierFigures.find((figure) => figure.name === name)?.value;
  const returnPercent = getFigure("coin_flip_return");
  if (returnPercent === undefined) return null;
  const trimmed = (value = "") => formatNumber(value.replace(/\.?0+$/, ""), locale);
  const isReturnWrong = Number(returnPercent) < returnMin || Number(returnPercent) > returnMax;
  const rows = [
    ["coin_flip_return", trimmed(returnPercent), isReturnWrong],
    ["break_even", `${trimmed(getFigure("break_even"))} %`, false],
    ["average_cost", `${trimmed(getFigure("average_cost"))} pUSDT`, false],
  ] as const;
  return (
    <div
      className={cx(
        "border-t border-line px-4 py-3 transition-opacity wide:border-t-0 wide:border-l",
        isReturnWrong ? "bg-flare-wash" : "bg-leaf",
        isStale && "opacity-60",
      )}
      aria-live="polite"
    >
      <dl className="flex flex-col gap-1 text-small">
        {rows.map(([name, value, isBad]) => (
          <div key={name} className="flex items-baseline justify-between gap-3">
            <dt className={isBad ? "text-flare" : "text-ink-soft"}>
              {t(`publishing.figure.${name}`)}
            </dt>
            <dd className={cx("shrink-0 font-strong tabular-nums", isBad && "text-flare")}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <Scale returnRate={Number(returnPercent)} isOutOfRange={isReturnWrong} />
      <p className={cx("mt-1 text-caption", isReturnWrong ? "text-flare" : "text-ink-faint")}>
        {t("publishing.figure.allowed", { least: returnMin, most: returnMax })}
      </p>
    </div>
  );
}

/** From 80 to 104 per 100: the allowed range, and this tier's position in it. */
function Scale({ returnRate, isOutOfRange }: { returnRate: number; isOutOfRange: boolean }) {
  const toX = (value: number) => ((Math.min(104, Math.max(80, value)) - 80) / 24) * 200;
  return (
    <svg
      viewBox="0 0 200 14"
      className="mt-2 h-3.5 w-full"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line x1="0" x2="200" y1="7" y2="7" className="stroke-line-strong" strokeWidth="1" />
      <rect
        x={toX(returnMin)}
        width={toX(returnMax) - toX(returnMin)}
        y="3"
        height="8"
        className="fill-tide opacity-30"
      />
      <rect
        x={toX(returnRate) - 1}
        width="2"
        y="0"
        height="14"
        className={isOutOfRange ? "fill-flare" : "fill-ink"}
      />
    </svg>
  );
}
