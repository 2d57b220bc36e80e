import type { Run } from "#api/hosting/run.ts";
import { useText } from "#i18n/useText.ts";
import { Explained } from "#ui/Explained.tsx";
import { useBpText, useFormatWorldTime } from "../figures.tsx";

/** The gap the strategy sees, the gap it needs, and in a sentence what it does about it. */
export function DecisionResult({ run }: { run: Run }) {
  const t = useText();
  const bpText = useBpText();
  const formatWorldTime = useFormatWorldTime();
  return (
    <section className="px-4 pt-3" aria-label={t("hosting.run.sees")}>
      <p className="text-small text-ink-faint">{formatWorldTime(run.at_ms)}</p>
      {run.gap_bp === null || run.threshold_bp === null ? null : (
        <dl className="grid grid-cols-2 gap-4 pt-2">
          <div>
            <dt className="text-small text-ink-soft">
              <Explained text={t("hosting.word.bp")}>{t("hosting.run.gap")}</Explained>
            </dt>
            <dd className="text-title font-strong">{bpText(run.gap_bp)}</dd>
          </div>
          <div>
            <dt className="text-small text-ink-soft">{t("hosting.run.needed")}</dt>
            <dd className="text-title font-strong">{bpText(run.threshold_bp)}</dd>
          </div>
        </dl>
      )}
      <p className="min-h-12 pt-3">
        {t(
          run.decision === "traded"
            ? "hosting.run.traded"
            : `hosting.why.${run.reason ?? "nothing_to_do"}`,
        )}
      </p>
      {run.path.length > 0 ? (
        <ol className="flex flex-wrap gap-x-2 text-small text-ink-soft">
          {run.path.map((step, index) => (
            <li key={`${step.venue} ${step.symbol} ${step.side}`}>
              {index > 0 ? <span aria-hidden="true">→ </span> : null}
              {t(`hosting.side.${step.side}`)} {step.symbol} · {step.venue}
            </li>
          ))}
        </ol>
      ) : null}
      {run.pending > 0 ? (
        <p className="pt-2 text-small text-ink-soft">
          {t("hosting.run.pending", { count: run.pending })}
        </p>
      ) : null}
    </section>
  );
}
