import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import type { CheckState, Checks } from "#web/screens/help/promises/useChecks.ts";
import { promiseNumbers } from "#web/screens/help/views.ts";

/** In display order. */
const kinds = ["holds", "unwitnessed", "nothing", "fails", "failed"] as const;

function getKind(state: CheckState): (typeof kinds)[number] | null {
  if (state.at === "failed") return "failed";
  return state.at === "checked" ? state.result.outcome : null;
}

/** Runs the ten checks one after another, shows the progress, and summarises the results. */
export function CheckAll({ checks }: { checks: Checks }) {
  const { formatList } = useIntl();
  const t = useText();
  const { done } = checks;
  const total = promiseNumbers.length;
  const isRunning = done !== null && done < total;
  const results = promiseNumbers.map((number) => getKind(checks.stateOf(number)));
  const sums = kinds
    .map((kind) => ({ kind, count: results.filter((otherKind) => otherKind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => t(`help.check.sum.${kind}`, { count }));
  return (
    <div className="flex flex-col gap-3 px-4 pb-5">
      <Button block busy={isRunning || !checks.isReady} onClick={() => void checks.runAll()}>
        {t("help.check.all")}
      </Button>
      {isRunning ? <Progress value={(done / total) * 100} label={t("help.check.all")} /> : null}
      <p aria-live="polite" className="text-small text-ink-soft empty:hidden">
        {isRunning
          ? t("help.check.progress", { done, all: total })
          : done === total
            ? formatList(sums, { type: "unit" })
            : null}
      </p>
    </div>
  );
}
