import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Section } from "#ui/Section.tsx";
import { useBpText } from "../figures.tsx";
import { Legend, type Line, Lines } from "../Lines.tsx";
import type { Gap } from "./useRun.ts";

interface GapChartProps {
  gaps: readonly Gap[];
  /** True while frozen, so that it can be studied. */
  isFrozen: boolean;
  onHold: () => void;
}

/** The gap over time against the width above which trading would pay. */
export function GapChart({ gaps, isFrozen, onHold }: GapChartProps) {
  const t = useText();
  const bpText = useBpText();
  const seenGaps = gaps.flatMap(({ atMs, gap }) => (gap === null ? [] : [[atMs, gap] as const]));
  const neededGaps = gaps.flatMap(({ atMs, needed: neededGap }) =>
    neededGap === null ? [] : [[atMs, neededGap] as const],
  );
  const lines: Line[] = [
    { look: "strong", dots: seenGaps },
    { look: "dashed", dots: neededGaps },
  ];
  const widest = Math.max(...seenGaps.map(([, gap]) => gap));
  return (
    <Section
      title={t("hosting.gaps.title")}
      kind="plain"
      action={
        seenGaps.length > 1 ? (
          <Button variant="quiet" size="small" onClick={onHold}>
            {t(isFrozen ? "hosting.gaps.go" : "hosting.gaps.hold")}
          </Button>
        ) : undefined
      }
    >
      {seenGaps.length < 2 ? (
        <p className="border-b border-dashed border-line-strong pb-3 text-small text-ink-soft">
          {t("hosting.gaps.none")}
        </p>
      ) : (
        <figure className="flex flex-col gap-2">
          <Lines lines={lines} height={120} />
          <Legend
            items={[
              { look: "strong", text: t("hosting.run.gap") },
              { look: "dashed", text: t("hosting.run.needed") },
            ]}
          />
          <figcaption className="text-caption text-ink-faint">
            {t("hosting.gaps.caption", {
              seconds: seenGaps.length,
              widest: bpText(widest.toFixed(2)),
              wide: gaps.filter(
                ({ gap, needed: neededGap }) => (gap ?? 0) > (neededGap ?? Infinity),
              ).length,
            })}
          </figcaption>
        </figure>
      )}
    </Section>
  );
}
