import { useState } from "react";
import type { NavPoint, Pool } from "#api/hosting/pool.ts";
import type { Friction } from "#api/hosting/shapes.ts";
import { getNavHistory } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { usePercentText } from "../figures.tsx";
import { Legend, type Line, Lines, Scale } from "../Lines.tsx";
import { refetchMs } from "../useHostingUpdates.ts";
import { DrawdownArea } from "./DrawdownArea.tsx";
import { NavTable } from "./NavTable.tsx";

const ranges = ["hour", "day", "week", "month", "all"] as const;
/** Index of each friction in a point of the history. */
const column = { frictionless: 3, realistic: 1, harsh: 4 } as const;

/** NAV against buy and hold, the NAV under the chosen friction, and the drawdown below. */
export function NavChart({ pool, friction }: { pool: Pool; friction: Friction }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const percent = usePercentText();
  const [range, setRange] = useState<(typeof ranges)[number]>("day");
  const history = useApiQuery(
    getNavHistory,
    { product_id: pool.product_id, range },
    { refetchMs, keepPrevious: true },
  );
  const points = history.data?.items;
  const lines = points ? buildLines(points, friction) : [];
  return (
    <Section title={t("hosting.chart.title")} kind="plain" className="mt-4!">
      <Segmented
        label={t("hosting.chart.range")}
        value={range}
        onChange={setRange}
        options={ranges.map((value) => ({ value, label: t(`hosting.range.${value}`) }))}
      />
      {history.isError && !points ? (
        <div className="pt-3">
          <ErrorNote onRetry={() => void history.refetch()}>
            {errorMessage(history.error)}
          </ErrorNote>
        </div>
      ) : !points ? (
        <Skeleton height="260px" className="mt-3" />
      ) : points.length < 2 ? (
        <p className="py-8 text-small text-ink-soft">{t("hosting.chart.none")}</p>
      ) : (
        <figure className="flex flex-col gap-3 pt-4">
          <Scale lines={lines}>
            <Lines lines={lines} height={180} />
          </Scale>
          <Legend
            items={lines.map(({ look }) => ({
              look,
              text: t(
                look === "strong"
                  ? "hosting.nav"
                  : look === "dashed"
                    ? "hosting.hold_line"
                    : `hosting.friction.${friction}`,
              ),
            }))}
          />
          <DrawdownArea points={points} />
          <figcaption className="text-caption text-ink-faint">
            {t("hosting.chart.caption", {
              worst: percent(pool.drawdown_bp),
              now: percent(pool.drawdown_now_bp),
            })}
          </figcaption>
          <NavTable points={points} />
        </figure>
      )}
    </Section>
  );
}

function buildLines(points: readonly NavPoint[], friction: Friction): Line[] {
  const toDots = (column: 1 | 2 | 3 | 4) =>
    points.map((point) => [point[0], Number(point[column])] as const);
  const lines: Line[] = [
    { look: "strong", dots: toDots(1) },
    { look: "dashed", dots: toDots(2) },
  ];
  if (friction !== "realistic") lines.push({ look: "dotted", dots: toDots(column[friction]) });
  return lines;
}
