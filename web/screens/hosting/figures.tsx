import { useIntl } from "react-intl";
import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Arrow } from "#ui/figures/Change.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";

/**
 * Formats the wire's basis points ("-0.12") as a percentage: two fraction digits, or four below one
 * basis point, which a day of arbitrage may be.
 */
export function usePercentText(): (bp: string, signed?: boolean) => string {
  const { formatNumber: format } = useIntl();
  return (bp, signed = true) =>
    format(Number(bp) / 10_000, {
      style: "percent",
      minimumFractionDigits: 2,
      maximumFractionDigits: Math.abs(Number(bp)) < 1 ? 4 : 2,
      signDisplay: signed ? "exceptZero" : "negative",
    }).replace("-", "−");
}

/** A change in the wire's basis points, with sign and arrow; colour only repeats them. */
export function Moved({ bp, className }: { bp: string | null; className?: string }) {
  const text = usePercentText();
  if (bp === null) return <span className={cx("text-ink-faint", className)}>—</span>;
  const direction = Math.sign(Number(bp));
  const tone = direction > 0 ? "text-rise" : direction < 0 ? "text-fall" : "text-ink-soft";
  return (
    <span className={cx("inline-flex items-center gap-1 whitespace-nowrap", tone, className)}>
      <Arrow direction={direction} />
      {text(bp)}
    </span>
  );
}

/** Basis points as such, for gaps: "20.56 bp". */
export function useBpText(): (bp: string) => string {
  const { locale } = useIntl();
  const t = useText();
  return (bp) => t("hosting.bp", { bp: formatNumber(bp, locale, 2) });
}

/** Formats a figure without a coin: NAV, units, sizes. */
export function Figure({ value, className }: { value: string; className?: string }) {
  const { locale } = useIntl();
  return <span className={cx("whitespace-nowrap", className)}>{formatNumber(value, locale)}</span>;
}

/** A pool's name, and its symbols and venues. */
export function usePoolName() {
  const t = useText();
  const { formatList } = useIntl();
  return {
    name: (strategy: Pool["strategy"]) => t(`hosting.strategy.${strategy}`),
    places: (pool: Pick<Pool, "symbols" | "venues">) =>
      `${formatList(pool.symbols)} · ${formatList(pool.venues)}`,
  };
}

export const buildPoolPath = (productId: string) => `/ai/product?product_id=${productId}`;

/** A world time to the second, without the year, which the records show. */
export function useFormatWorldTime(): (ms: number) => string {
  const { formatDate } = useIntl();
  return (ms) =>
    formatDate(ms, {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
}
