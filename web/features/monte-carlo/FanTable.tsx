import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import type { FanPoint } from "./fanShape.ts";
import { ResultAmount } from "./ResultAmount.tsx";
import { RunTable } from "./RunTable.tsx";

const columns = ["worst", "median", "best"] as const;
const rows = 10;

/**
 * Picks the last point and as many points before it as a table holds. The start is left out,
 * because all values are equal there.
 */
function downsample(points: readonly FanPoint[]): FanPoint[] {
  const step = Math.max(1, Math.ceil(points.length / rows));
  return points.filter(
    (_, index) => index === points.length - 1 || (index > 0 && index % step === 0),
  );
}

interface FanTableProps {
  caption: string;
  /** The heading of the points' column. */
  head: string;
  points: readonly FanPoint[];
  coin: Coin;
  /** A point's name; its number if omitted. */
  nameOf?: (at: number) => string;
}

/** The chart as figures. */
export function FanTable({ caption, head, points, coin, nameOf }: FanTableProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  return (
    <Fold label={t("monte-carlo.picture.table")}>
      <RunTable
        caption={caption}
        head={head}
        columns={columns.map((name) => t(`monte-carlo.${name}`))}
        rows={downsample(points).map(({ at, spread }) => ({
          name: nameOf ? nameOf(at) : formatNumber(at),
          values: columns.map((name) => (
            <ResultAmount key={name} value={spread[name]} coin={coin} />
          )),
        }))}
      />
    </Fold>
  );
}
