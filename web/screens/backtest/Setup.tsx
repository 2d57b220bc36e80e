import { type ReactNode, useState } from "react";
import type { BacktestPool, BacktestSource } from "#api/backtest.ts";
import { findHistoryTest, getHistoryTests, runHistoryTest } from "#api/routes/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { dayMs } from "#core/money/time.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const strategyNames = ["cross", "triangle", "hold"] as const;
const toDay = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

/**
 * The chosen days as a period of the pool's data: whole days, clamped to the data available. NaN
 * where a day is missing.
 */
function getPeriod(pool: BacktestPool, from: string, to: string) {
  return {
    from_ms: Math.max(pool.from_ms, Date.parse(`${from}T00:00:00Z`)),
    to_ms: Math.min(pool.to_ms, Date.parse(`${to}T00:00:00Z`) + dayMs),
  };
}

/** The first days of a pool's data, as many as a test may cover. */
function findDays({ from_ms: fromMs, to_ms: toMs }: BacktestPool) {
  const lastMs = Math.min(toMs - 1, fromMs + (backtestLimits.period_days - 1) * dayMs);
  return { from: toDay(fromMs), to: toDay(lastMs) };
}

interface SetupProps {
  source: BacktestSource;
  which: "world" | "files";
  /** The margin of published pools, in basis points. */
  marginBp: number;
}

/** Strategy, pairs, period and margin of a test, and the button that starts it. */
export function Setup({ source, which, marginBp }: SetupProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const start = useApiMutation(runHistoryTest);
  const usable = source.pools.filter((pool) => pool.from_ms < pool.to_ms);
  const [name, setName] = useState<string | null>(null);
  const pool = usable.find((item) => item.pool === name) ?? usable[0];
  const [days, setDays] = useState<{ from: string; to: string } | null>(null);
  const [margin, setMargin] = useState(String(marginBp));
  if (!pool) return <p className="px-4 py-4 text-small">{t("backtest.noPools")}</p>;
  const { from, to } = days ?? findDays(pool);
  const period = getPeriod(pool, from, to);
  const isLong = period.to_ms - period.from_ms > backtestLimits.period_days * dayMs;
  const isPeriod = period.from_ms < period.to_ms && !isLong;
  const isMargin = /^\d{1,4}$/.test(margin) && Number(margin) <= backtestLimits.margin_bp;
  const choose = (next: BacktestPool | undefined) => {
    if (next) setName(next.pool);
    setDays(null);
  };
  const run = async () => {
    const params = { source: which, pool: pool.pool, ...period, margin_bp: Number(margin) };
    await start.send(params).catch(() => undefined);
    await Promise.all([invalidate(findHistoryTest), invalidate(getHistoryTests)]);
  };
  const offeredStrategies = strategyNames.filter((strategyName) =>
    usable.some(({ strategy }) => strategy === strategyName),
  );
  return (
    <Section title={t("backtest.setup")} kind="plain">
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPeriod && isMargin && !start.isBusy) void run();
        }}
      >
        <div className="flex flex-col gap-1.5">
          <span className="text-small font-strong">{t("backtest.strategy")}</span>
          <Segmented
            label={t("backtest.strategy")}
            value={pool.strategy}
            onChange={(next) => choose(usable.find(({ strategy }) => strategy === next))}
            options={offeredStrategies.map((value) => ({
              value,
              label: t(`backtest.strategy.${value}`),
            }))}
          />
          <p className="text-caption text-ink-faint">{t(`backtest.loses.${pool.strategy}`)}</p>
        </div>
        <Field label={t("backtest.pool")}>
          <Select
            value={pool.pool}
            onChange={(next) => choose(usable.find((item) => item.pool === next))}
          >
            {usable
              .filter(({ strategy }) => strategy === pool.strategy)
              .map((item) => (
                <option key={item.pool} value={item.pool}>
                  {`${item.symbols.join(", ")} · ${item.venues.join(", ")}`}
                </option>
              ))}
          </Select>
        </Field>
        <div className="grid grid-cols-1 gap-4 min-[420px]:grid-cols-2">
          {(["from", "to"] as const).map((end) => (
            <Field
              key={end}
              label={t(`backtest.${end}`)}
              error={
                end === "to" && !isPeriod
                  ? t("backtest.periodWrong", { days: backtestLimits.period_days })
                  : undefined
              }
            >
              <TextInput
                type="date"
                value={end === "from" ? from : to}
                min={toDay(pool.from_ms)}
                max={toDay(pool.to_ms - 1)}
                onChange={(next) => setDays({ from, to, [end]: next })}
              />
            </Field>
          ))}
        </div>
        <Field
          label={t("backtest.margin")}
          hint={t("backtest.margin.about", { published: marginBp })}
          error={
            isMargin ? undefined : t("backtest.margin.wrong", { most: backtestLimits.margin_bp })
          }
        >
          <TextInput inputMode="numeric" value={margin} onChange={setMargin} />
        </Field>
        <p className="border-l-2 border-warning pl-3 text-small text-ink-soft">
          {t("backtest.flatters")}
        </p>
        {start.error ? <ErrorNote>{errorMessage(start.error)}</ErrorNote> : null}
        <Button type="submit" block busy={start.isBusy} disabled={!isPeriod || !isMargin}>
          {t("backtest.run")}
        </Button>
      </form>
    </Section>
  );
}

function Select(props: { value: string; onChange: (value: string) => void; children: ReactNode }) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      className={inputClass}
    >
      {props.children}
    </select>
  );
}
