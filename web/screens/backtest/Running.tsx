import type { Backtest } from "#api/backtest.ts";
import { cancelHistoryTest, findHistoryTest } from "#api/routes/backtest.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** A running test: its progress, and a button that cancels it. */
export function Running({ test }: { test: Backtest }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const cancel = useApiMutation(cancelHistoryTest);
  const stage = t(`backtest.stage.${test.stage}`, { percent: test.percent });
  const stop = async () => {
    await cancel.send({ run_id: test.run_id }).catch(() => undefined);
    await invalidate(findHistoryTest);
  };
  return (
    <Section title={t("backtest.running")} kind="plain">
      <div className="flex flex-col gap-3">
        <p className="text-small text-ink-soft">
          {t(`backtest.strategy.${test.strategy}`)} · {test.symbols.join(", ")} ·{" "}
          {test.venues.join(", ")}
        </p>
        <output className="text-small">{stage}</output>
        <Progress value={test.percent} label={t("backtest.running")} text={stage} />
        {cancel.error ? <ErrorNote>{errorMessage(cancel.error)}</ErrorNote> : null}
        <Button variant="outline" block busy={cancel.isBusy} onClick={() => void stop()}>
          {t("backtest.cancel")}
        </Button>
      </div>
    </Section>
  );
}
