import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

export interface ChangeProps {
  /** Basis points: 125 is 1.25 %. Null when there is nothing to compare with. */
  bp: number | null | undefined;
  className?: string;
}

/** A change in percent, always with a sign and an arrow; colour only repeats them. */
export function Change({ bp, className }: ChangeProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  if (bp === null || bp === undefined) {
    return (
      <span className={cx("text-ink-faint", className)}>
        <span aria-hidden="true">—</span>
        <span className="sr-only">{t("ui.change.none")}</span>
      </span>
    );
  }
  const text = formatNumber(bp / 10_000, {
    style: "percent",
    minimumFractionDigits: 2,
    signDisplay: "exceptZero",
  }).replace("-", "−");
  const tone = bp > 0 ? "text-rise" : bp < 0 ? "text-fall" : "text-ink-soft";
  return (
    <span className={cx("inline-flex items-center gap-1 whitespace-nowrap", tone, className)}>
      <Arrow direction={Math.sign(bp)} />
      {text}
    </span>
  );
}

/**
 * An arrow up or down, or nothing without a change; the sign beside it carries the same meaning.
 */
export function Arrow({ direction }: { direction: number }) {
  if (direction === 0) return null;
  const path = direction > 0 ? "M5 1.5 9 8H1z" : "M5 8.5 1 2h8z";
  return (
    <svg viewBox="0 0 10 10" className="size-[0.6em] shrink-0" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}
