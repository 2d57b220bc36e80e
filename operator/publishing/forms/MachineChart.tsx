import { useIntl } from "react-intl";
import type { Preview } from "#api/operator/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

interface Props {
  figures: Preview["figures"];
  /** True if the machine is refused because it would earn more than it costs. */
  flatters: boolean;
  isStale: boolean;
}

/** One day of a machine at today's network and price: earnings against costs, to the same scale. */
export function MachineChart({ figures, flatters, isStale }: Props) {
  const { locale } = useIntl();
  const t = useText();
  const getFigure = (name: string) => figures.find((figure) => figure.name === name)?.value;
  const worth = getFigure("machine_worth");
  const power = getFigure("machine_power") ?? "0";
  const cost = getFigure("machine_cost") ?? "0";
  if (worth === undefined) return null;
  const [brings, price, electricity] = [Number(worth), Number(cost) - Number(power), Number(power)];
  const largest = Math.max(brings, Number(cost), 0.000_001);
  const number = (value: string) => formatNumber(Number(value).toFixed(2), locale);
  return (
    <figure
      className={cx(
        "rounded-dock border px-4 py-3 transition-opacity",
        flatters ? "border-flare bg-flare-wash" : "border-line bg-leaf",
        isStale && "opacity-60",
      )}
    >
      <figcaption className="text-small font-strong">{t("publishing.machine.today")}</figcaption>
      <div className="mt-3 flex flex-col gap-2 text-small" aria-live="polite">
        <Bar
          label={t("publishing.machine.brings")}
          value={`${number(worth)} pUSDT`}
          parts={[{ share: brings / largest, className: flatters ? "bg-flare" : "bg-tide" }]}
          isBad={flatters}
        />
        <Bar
          label={t("publishing.machine.costs")}
          value={`${number(cost)} pUSDT`}
          parts={[
            { share: price / largest, className: "bg-ink" },
            { share: electricity / largest, className: "bg-ink-faint" },
          ]}
        />
      </div>
      <p className="mt-2 text-caption text-ink-faint">
        {t("publishing.machine.parts", {
          power: number(power),
          payout: formatNumber(getFigure("machine_payout") ?? "0", locale),
        })}
      </p>
    </figure>
  );
}

interface BarProps {
  label: string;
  value: string;
  parts: readonly { share: number; className: string }[];
  isBad?: boolean;
}

function Bar({ label, value, parts, isBad = false }: BarProps) {
  return (
    <div>
      <div className={cx("flex justify-between gap-3", isBad && "text-flare")}>
        <span>{label}</span>
        <span className="font-strong tabular-nums">{value}</span>
      </div>
      <div
        className="mt-1 flex h-2.5 gap-px overflow-hidden rounded-full bg-well"
        aria-hidden="true"
      >
        {parts.map(({ share, className }) => (
          <span
            key={className}
            className={className}
            style={{ width: `${Math.max(0, share) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}
