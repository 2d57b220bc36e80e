import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useBpText } from "../figures.tsx";
import { GapChart } from "../run/GapChart.tsx";
import { type RunView, useRun } from "../run/useRun.ts";

/**
 * The condition for the first trade of a pool that has made no arbitrage trade yet: the best gap
 * between its venues against the width that would pay its costs, as it moves.
 */
export default function AwaitedTrade({ productId }: { productId: string }) {
  const t = useText();
  const bpText = useBpText();
  const errorMessage = useErrorMessage();
  const { run, gaps, error, retry } = useRun(productId);
  const [paused, setPaused] = useState<RunView["gaps"] | null>(null);
  if (!run && error) return <ErrorNote onRetry={retry}>{errorMessage(error)}</ErrorNote>;
  return (
    <>
      <GapChart
        gaps={paused ?? gaps}
        isFrozen={paused !== null}
        onHold={() => setPaused(paused ? null : gaps)}
      />
      {run && run.gap_bp !== null && run.threshold_bp !== null ? (
        <>
          <Row label={t("hosting.run.gap")} value={bpText(run.gap_bp)} />
          <Row label={t("hosting.run.needed")} value={bpText(run.threshold_bp)} />
        </>
      ) : null}
    </>
  );
}
