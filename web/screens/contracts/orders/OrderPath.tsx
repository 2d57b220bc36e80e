import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { layOutOrderChart } from "./orderChart.ts";
import type { Second } from "./phase.ts";

const width = 320;
const height = 88;

/**
 * The price since an order: entry price as a line, the window as a band, its samples as dots.
 */
export function OrderPath({ order, seconds }: { order: Order; seconds: readonly Second[] }) {
  const t = useText();
  const picture = layOutOrderChart(order, seconds, width, height);
  if (!picture) return <div style={{ aspectRatio: `${width} / ${height}` }} aria-hidden="true" />;
  const { band, entryY, line, samples, head } = picture;
  const up = order.direction === "up";
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
      aria-label={t("contracts.order.path", { count: samples.length })}
      className="block w-full overflow-visible"
    >
      <rect
        y={up ? 0 : entryY}
        width={width}
        height={height / 2}
        className={up ? "fill-rise-wash" : "fill-fall-wash"}
        opacity="0.6"
      />
      <rect
        x={band.x1}
        width={band.x2 - band.x1}
        height={height}
        className="fill-ink"
        opacity="0.1"
      />
      <text x={band.x2} y={height - 4} textAnchor="end" fontSize="11" className="fill-ink-soft">
        {t("contracts.order.band")}
      </text>
      <path d={`M0 ${entryY}H${width}`} className="stroke-ink-faint" strokeDasharray="3 3" />
      <path d={line} className="stroke-ink" strokeWidth="1.25" fill="none" strokeLinejoin="round" />
      {samples.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="2.25" className="fill-ink" />
      ))}
      {head ? (
        <circle
          cx={head.x}
          cy={head.y}
          r="3.5"
          className="fill-paper stroke-ink"
          strokeWidth="1.5"
        />
      ) : null}
      <circle cx="0" cy={entryY} r="3" className="fill-ink" />
    </svg>
  );
}
