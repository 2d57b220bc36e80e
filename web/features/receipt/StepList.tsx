import { IconCheck, IconChevronDown, IconX } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import type { CheckStep } from "#web/features/receipt/check.ts";

/** The steps of a check in order; each expands to its input and output values. */
export function StepList({ steps, busy }: { steps: readonly CheckStep[]; busy: boolean }) {
  return (
    <ol className="hairlines border-y border-line" aria-busy={busy}>
      {steps.map((step, index) => (
        <li key={step.step}>
          <StepRow step={step} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}

function StepRow({ step, number }: { step: CheckStep; number: number }) {
  const t = useText();
  const inputs = Object.entries(step.inputs);
  const words = t(step.ok ? "receipt.step.passed" : "receipt.step.failed");
  return (
    <details open={!step.ok} className="group">
      <summary className="flex min-h-14 list-none items-start gap-3 px-4 py-3 hover:bg-leaf focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <StepMark ok={step.ok} number={number} />
        <span className="min-w-0 flex-1">
          <span className="block">
            <span className="sr-only">{words}: </span>
            {t(`receipt.step.${step.step}`)}
          </span>
          <span className={cx("block text-small", step.ok ? "text-ink-faint" : "text-flare")}>
            {t(step.ok ? `receipt.step.${step.step}.what` : `receipt.problem.${step.mismatch}`)}
          </span>
        </span>
        {inputs.length > 0 ? (
          <IconChevronDown
            size={18}
            aria-hidden="true"
            className="mt-1 shrink-0 text-signal-ink transition-transform group-open:rotate-180"
          />
        ) : null}
      </summary>
      {inputs.length > 0 ? <Inputs inputs={inputs} /> : null}
    </details>
  );
}

function StepMark({ ok, number }: { ok: boolean; number: number }) {
  const Icon = ok ? IconCheck : IconX;
  return (
    <span
      className={cx(
        "relative mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border",
        ok ? "border-line-strong text-ink" : "border-flare text-flare",
      )}
    >
      <span className="sr-only">{number}</span>
      <Icon size={15} stroke={2.25} aria-hidden="true" />
    </span>
  );
}

/** Value names as in the receipt's format: anyone checking by hand searches for exactly these. */
function Inputs({ inputs }: { inputs: [string, string | number | null][] }) {
  const t = useText();
  return (
    <dl className="grid gap-y-1.5 px-4 pb-4 pl-13 text-caption">
      {inputs.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="font-mono text-ink-faint">{name}</dt>
          <dd className="min-w-0 text-right font-mono break-all">
            {value === null ? t("receipt.none") : String(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
