import { type ReactNode, useMemo, useState } from "react";
import { useIntl } from "react-intl";
import { computeBreakEvenPrice, type LeasePlan, projectLease } from "#core/mining/calculator.ts";
import { formatDecimal, truncateDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { decimalSign, formatNumber } from "#ui/figures/numbers.ts";
import { readAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Stepper } from "#ui/form/Stepper.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { changePrice, type Network, toFigures } from "./figures.ts";
import { OutcomesChart } from "./OutcomesChart.tsx";

export interface CalculatorProps {
  /** Initial values; days and quantity stay those of the lease. */
  plan: LeasePlan;
  network: Network;
  /** BTC/USDT at scale 2. */
  btcPrice: bigint;
}

const fields = [
  { name: "hashrate", unit: "TH/s", scale: 3 },
  { name: "power", unit: "W", scale: 0 },
  { name: "pricePerDay", unit: "pUSDT", scale: 6 },
  { name: "perKwh", unit: "pUSDT", scale: 6 },
] as const;
type FieldName = (typeof fields)[number]["name"];

function getTyped(plan: LeasePlan): Record<FieldName, string> {
  return {
    hashrate: formatDecimal(plan.hashrateGhs, 3),
    power: String(plan.powerW),
    pricePerDay: formatDecimal(plan.pricePerDay, 6),
    perKwh: formatDecimal(plan.pricePerKwh, 6),
  };
}

/**
 * Any machine under any assumption: what was charged against what it would have mined, day by day.
 */
export function Calculator({ plan, network, btcPrice }: CalculatorProps) {
  const { formatNumber: format, locale } = useIntl();
  const t = useText();
  const [texts, setTexts] = useState(() => getTyped(plan));
  const [growthBp, setGrowthBp] = useState(0);
  const [pricePercent, setPricePercent] = useState(0);
  const { quantity, days, poolFeeBp } = plan;
  const { projection, dayPrice } = useMemo(() => {
    const plan: LeasePlan = {
      quantity,
      days,
      poolFeeBp,
      hashrateGhs: truncateDecimal(texts.hashrate || "0", 3),
      powerW: Number(texts.power || "0"),
      pricePerDay: truncateDecimal(texts.pricePerDay || "0", 6),
      pricePerKwh: truncateDecimal(texts.perKwh || "0", 6),
    };
    const figures = toFigures(network);
    const assumed = {
      difficultyBpPerEpoch: growthBp,
      btcPrice,
      btcPriceAtEnd: changePrice(btcPrice, pricePercent),
    };
    return {
      projection: projectLease(plan, figures, assumed),
      dayPrice: computeBreakEvenPrice(plan, figures),
    };
  }, [texts, growthBp, pricePercent, quantity, days, poolFeeBp, network, btcPrice]);
  const percent = (value: number) =>
    format(value, {
      style: "percent",
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    }).replace("-", "−");
  const money = (value: bigint) => formatNumber(formatDecimal(value, 2), locale, 2);
  return (
    <Section title={t("mining.calc")} note={t("mining.calc.note")} kind="plain">
      <OutcomesChart projection={projection} />
      <p className="mt-2 text-small text-ink-soft">
        {dayPrice === null
          ? t("mining.calc.noOutput")
          : t("mining.calc.dayPrice", { price: money(dayPrice), now: money(btcPrice) })}
      </p>
      <div className="mt-5 grid grid-cols-2 gap-x-3 gap-y-4">
        {fields.map(({ name, unit, scale }) => (
          <Field key={name} label={t(`mining.calc.${name}`)} hint={unit}>
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={texts[name].replace(".", decimalSign(locale))}
              onChange={(text) => {
                const amountText = readAmountText(text, scale);
                if (amountText !== null && amountText.length <= 9)
                  setTexts({ ...texts, [name]: amountText });
              }}
            />
          </Field>
        ))}
      </div>
      <Guess
        label={t("mining.calc.growth")}
        value={growthBp}
        onChange={setGrowthBp}
        step={50}
        bounds={[-1_000, 2_000]}
      >
        {percent(growthBp / 10_000)}
      </Guess>
      <Guess
        label={t("mining.calc.path")}
        hint={t("mining.calc.path.at", { price: money(changePrice(btcPrice, pricePercent)) })}
        value={pricePercent}
        onChange={setPricePercent}
        step={5}
        bounds={[-90, 400]}
      >
        {percent(pricePercent / 100)}
      </Guess>
      <p className="mt-3 text-small text-ink-soft">{t("mining.calc.guess")}</p>
    </Section>
  );
}

interface GuessProps {
  label: string;
  hint?: string;
  value: number;
  onChange: (value: number) => void;
  step: number;
  bounds: readonly [number, number];
  children: ReactNode;
}

function Guess({ label, hint, value, onChange, step, bounds, children }: GuessProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 text-small">
        <span className="block font-strong">{label}</span>
        {hint ? <span className="text-caption text-ink-faint">{hint}</span> : null}
      </span>
      <Stepper
        label={label}
        onStep={(direction) =>
          onChange(Math.min(bounds[1], Math.max(bounds[0], value + direction * step)))
        }
        canDecrease={value > bounds[0]}
        canIncrease={value < bounds[1]}
      >
        {children}
      </Stepper>
    </div>
  );
}
