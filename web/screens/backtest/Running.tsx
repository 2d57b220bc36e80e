import type { HistoryTest } from "#api/backtest.ts";
import { cancelHistoryTest, findHistoryTest } from "#api/routes/backtest.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Section } from "#ui/Section.tsx";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** A test under way: how far it is, and the way to end it. */
export function Running({ test }: { test: HistoryTest }) {
  const t = useText();
  const sentence = useSentence();
  const cancel = useSend(cancelHistoryTest);
  const stage = t(`history.stage.${test.stage}`, { percent: test.percent });
  const stop = async () => {
    await cancel.send({ run_id: test.run_id }).catch(() => undefined);
    await refresh(findHistoryTest);
  };
  return (
    <Section title={t("history.running")} kind="plain">
      <div className="flex flex-col gap-3">
        <p className="text-small text-ink-soft">
          {t(`history.strategy.${test.strategy}`)} · {test.symbols.join(", ")} ·{" "}
          {test.venues.join(", ")}
        </p>
        <output className="text-small">{stage}</output>
        <Progress value={test.percent} label={t("history.running")} text={stage} />
        {cancel.error ? <ErrorNote>{sentence(cancel.error)}</ErrorNote> : null}
        <Button variant="outline" block busy={cancel.busy} onClick={() => void stop()}>
          {t("history.cancel")}
        </Button>
      </div>
    </Section>
  );
}
