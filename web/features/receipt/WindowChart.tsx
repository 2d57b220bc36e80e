import { useIntl } from "react-intl";
import type { WindowSample } from "#core/contracts/receiptState.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { shapeWindow } from "#web/features/receipt/windowShape.ts";

interface Props {
  samples: readonly WindowSample[];
  purchase: bigint | null;
  selling: bigint | null;
  scale: number;
}

const size = { width: 448, height: 168, pad: 14 };

/**
 * The settlement window: each second a dot, trimmed ones hollow, gaps as ticks, and the two prices
 * as lines.
 */
export function WindowChart(props: Props) {
  const { samples, purchase, selling, scale } = props;
  const { locale } = useIntl();
  const t = useText();
  const price = (value: bigint | null) =>
    value === null ? "—" : formatNumber(formatDecimal(value, scale, true), locale, scale);
  const usedCount = samples.filter((sample) => sample.used).length;
  const present = samples.filter(({ value }) => value !== null).length;
  return (
    <figure className="px-4" aria-label={t("receipt.window.name", { used: usedCount, present })}>
      <Drawing {...props} />
      <Summary {...props} used={usedCount} present={present} price={price} />
      <figcaption className="mt-3 grid gap-1.5 text-small">
        <Legend mark={<LineMark dashed />} text={t("receipt.purchase")}>
          {price(purchase)}
        </Legend>
        <Legend mark={<LineMark />} text={t("receipt.selling")}>
          {price(selling)}
        </Legend>
        <Legend mark={<DotMark />} text={t("receipt.window.used")}>
          {usedCount}
        </Legend>
        <Legend mark={<DotMark hollow />} text={t("receipt.window.trimmed")}>
          {present - usedCount}
        </Legend>
        {samples.length > present ? (
          <Legend mark={<GapMark />} text={t("receipt.window.gaps")}>
            {samples.length - present}
          </Legend>
        ) : null}
      </figcaption>
      <SampleTable samples={samples} price={price} />
    </figure>
  );
}

/** The chart as a sentence, and as tones for those who prefer to hear it. */
function Summary({
  samples,
  purchase,
  selling,
  used,
  present,
  price,
}: Props & { used: number; present: number; price: (value: bigint | null) => string }) {
  const t = useText();
  const values = samples.flatMap(({ value }) => (value === null ? [] : [value]));
  const [first] = values;
  if (first === undefined || purchase === null || selling === null) return null;
  const move = selling - purchase;
  const play = async () => {
    const { playTones } = await import("#web/lib/tones.ts");
    const heights = samples.map(({ value }) => (value === null ? null : Number(value - first)));
    playTones(heights, () => {});
  };
  return (
    <>
      <p className="mt-3 text-small text-ink-soft">
        {t("receipt.window.summary", {
          used,
          present,
          selling: price(selling),
          purchase: price(purchase),
          side: move > 0n ? "above" : move < 0n ? "below" : "equal",
          by: price(move < 0n ? -move : move),
          low: price(values.reduce((a, b) => (b < a ? b : a))),
          high: price(values.reduce((a, b) => (b > a ? b : a))),
        })}
      </p>
      <Button size="small" variant="quiet" className="-ml-3.5" onClick={() => void play()}>
        {t("receipt.window.hear")}
      </Button>
    </>
  );
}

function Drawing({ samples, purchase, selling }: Props) {
  const shape = shapeWindow(samples, { purchase, selling }, size);
  const { width, height } = size;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="w-full">
      <rect width={width} height={height} rx="10" className="fill-leaf" />
      {shape.purchaseY === null ? null : (
        <line
          x1="0"
          x2={width}
          y1={shape.purchaseY}
          y2={shape.purchaseY}
          strokeDasharray="5 5"
          className="stroke-ink-faint"
        />
      )}
      {shape.sellingY === null ? null : (
        <line
          x1="0"
          x2={width}
          y1={shape.sellingY}
          y2={shape.sellingY}
          strokeWidth="1.5"
          className="stroke-ink"
        />
      )}
      {shape.gaps.map((x) => (
        <line key={x} x1={x} x2={x} y1={height - 10} y2={height - 2} className="stroke-warning" />
      ))}
      {shape.dots.map(({ x, y, used, secondMs }) => (
        <circle
          key={secondMs}
          cx={x}
          cy={y}
          r={samples.length > 20 ? 3 : 4.5}
          strokeWidth="1.5"
          className={used ? "fill-ink stroke-ink" : "fill-leaf stroke-ink-faint"}
        />
      ))}
    </svg>
  );
}

function Legend({
  mark,
  text,
  children,
}: {
  mark: React.ReactNode;
  text: string;
  children: React.ReactNode;
}) {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 20 12" className="h-3 w-5 shrink-0" aria-hidden="true">
        {mark}
      </svg>
      <span className="flex-1 text-ink-soft">{text}</span>
      <span>{children}</span>
    </span>
  );
}

function LineMark({ dashed }: { dashed?: boolean }) {
  return dashed ? (
    <line x1="0" x2="20" y1="6" y2="6" strokeDasharray="4 4" className="stroke-ink-faint" />
  ) : (
    <line x1="0" x2="20" y1="6" y2="6" strokeWidth="1.5" className="stroke-ink" />
  );
}

function DotMark({ hollow }: { hollow?: boolean }) {
  return (
    <circle
      cx="10"
      cy="6"
      r="4.5"
      strokeWidth="1.5"
      className={hollow ? "fill-leaf stroke-ink-faint" : "fill-ink stroke-ink"}
    />
  );
}

function GapMark() {
  return <line x1="10" x2="10" y1="1" y2="11" className="stroke-warning" />;
}

/** The samples as a table. */
function SampleTable({
  samples,
  price,
}: {
  samples: readonly WindowSample[];
  price: (value: bigint | null) => string;
}) {
  const { formatTime } = useIntl();
  const t = useText();
  const state = ({ value, used }: WindowSample) =>
    value === null ? "gap" : used ? "used" : "trimmed";
  return (
    <details className="group mt-3">
      <summary className="min-h-11 content-center text-small text-signal-ink">
        {t("receipt.window.table")}
      </summary>
      <table className="w-full text-small">
        <thead className="text-left text-caption text-ink-faint">
          <tr>
            <th className="py-1 font-normal">{t("receipt.window.second")}</th>
            <th className="font-normal">{t("receipt.leaf")}</th>
            <th className="text-right font-normal">{t("receipt.window.value")}</th>
            <th className="text-right font-normal">{t("receipt.window.counts")}</th>
          </tr>
        </thead>
        <tbody className="hairlines">
          {samples.map((sample) => (
            <tr key={sample.secondMs}>
              <td className="py-1">
                {formatTime(sample.secondMs, { timeZone: "UTC", timeStyle: "medium" })}
              </td>
              <td>{sample.leaf ?? "—"}</td>
              <td className="text-right">{price(sample.value)}</td>
              <td className="text-right">{t(`receipt.window.state.${state(sample)}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
