import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { getSeconds } from "#api/routes/market.ts";
import type { CheckedDay, ConfirmedDay, DayMismatch } from "#core/market/simulate/checkDay.ts";
import { dayMs } from "#core/money/time.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { SeedLimits } from "#web/features/receipt/SeedLimits.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { type DayRun, useDayRun } from "#web/screens/verify/useDayRun.ts";
import { useLogErrorMessage } from "#web/screens/verify/useLog.ts";

/**
 * Runs a day of the simulated market again in this browser. Only a day that is over has a published
 * seed, and other markets have none.
 */
export default function DayPanel() {
  const t = useText();
  const config = useConfig();
  const errorMessage = useErrorMessage();
  const { data, error, refetch } = useApiQuery(getSeconds, {});
  if (config?.world.market.kind !== "simulated" || (!data && !error)) return null;
  return (
    <Section title={t("verify.day.title")} kind="plain">
      <p className="text-small text-ink-soft">{t("verify.day.note")}</p>
      {!data ? (
        <ErrorNote onRetry={() => void refetch()}>{errorMessage(error)}</ErrorNote>
      ) : data.day_leaf === null ? (
        <p className="pt-3 text-small">{t("verify.day.none")}</p>
      ) : (
        <ChosenDay />
      )}
    </Section>
  );
}

/** The day to run again; initially the last one that is over. */
function ChosenDay() {
  const t = useText();
  const newest = Math.floor(getWorldNowMs() / dayMs) - 1;
  const [day, setDay] = useState(newest);
  const { run, start, cancel } = useDayRun();
  const isRunning = run.state === "running";
  const percent = isRunning ? Math.floor(run.part * 100) : 0;
  return (
    <>
      <div className="grid gap-3 py-3">
        <Field label={t("verify.day.day")}>
          <TextInput
            type="date"
            value={toDate(day)}
            max={toDate(newest)}
            disabled={isRunning}
            onChange={(text) => {
              const pickedMs = Date.parse(text);
              if (Number.isFinite(pickedMs)) setDay(Math.floor(pickedMs / dayMs));
            }}
          />
        </Field>
        {isRunning ? (
          <>
            <p className="text-small">{t("verify.day.running")}</p>
            <Progress
              value={percent}
              label={t("verify.day.running")}
              text={t("verify.day.percent", { percent })}
            />
          </>
        ) : null}
        {/* One button, which keeps the focus. */}
        <Button
          variant="outline"
          size="small"
          onClick={() => (isRunning ? cancel() : void start(day))}
        >
          {t(isRunning ? "verify.day.cancel" : "verify.day.do")}
        </Button>
      </div>
      <div aria-live="polite">
        <Result run={run} />
      </div>
    </>
  );
}

function Result({ run }: { run: DayRun }) {
  const t = useText();
  const errorMessage = useLogErrorMessage();
  if (run.state === "problem") return <ErrorNote>{t(`receipt.problem.${run.problem}`)}</ErrorNote>;
  if (run.state === "failed")
    return <ErrorNote>{run.cause ? errorMessage(run.cause) : t("verify.day.failed")}</ErrorNote>;
  if (run.state !== "checked") return null;
  if (run.checked === null) return <p className="text-small">{t("verify.day.unknown")}</p>;
  return run.checked.ok ? <Agreed day={run.checked} /> : <Differs checked={run.checked} />;
}

function Agreed({ day }: { day: ConfirmedDay }) {
  const { formatDate } = useIntl();
  const t = useText();
  const utc = { timeZone: "UTC" } as const;
  const date = formatDate(day.day * dayMs, { ...utc, dateStyle: "medium" });
  const { closed, due, missing, voids, continuedFromMs } = day;
  const lines: ReactNode[] = [
    closed === 0 ? t("verify.day.empty", { date }) : t("verify.day.agrees", { closed, date }),
    t("verify.day.missing", { missing, due, voids }),
  ];
  if (closed > 0) lines.push(<SeedLimits seed={day.seed} />);
  if (day.fromHistory) lines.push(t("verify.day.history"));
  if (continuedFromMs !== null)
    lines.push(
      t("verify.day.continued", {
        date: formatDate(continuedFromMs, { ...utc, dateStyle: "medium", timeStyle: "medium" }),
      }),
    );
  if (closed > 0) lines.push(t("verify.day.limits"));
  return (
    <div className="grid gap-3 text-small">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one result never move
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

/** Differences that receipts can have too; they share the messages of receipts. */
const shared: ReadonlySet<DayMismatch> = new Set([
  "leaf_unreadable",
  "day_seconds_differ",
  "index_differs",
  "seconds_not_ascending",
  "seed_source_differs",
  "world_unreadable",
]);

function Differs({ checked }: { checked: Extract<CheckedDay, { ok: false }> }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { difference, secondMs } = checked;
  const text = t(
    shared.has(difference) ? `receipt.problem.${difference}` : `verify.day.problem.${difference}`,
  );
  const secondName =
    secondMs === null
      ? ""
      : t("verify.day.at", {
          time: formatDate(secondMs, { timeZone: "UTC", dateStyle: "medium", timeStyle: "medium" }),
        });
  return <ErrorNote>{`${text} ${secondName}`.trim()}</ErrorNote>;
}

const toDate = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
