import { IconTrash } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import type { Belief } from "#api/beliefs.ts";
import type { AnswerOf } from "#api/call.ts";
import { getBeliefs, removeBelief } from "#api/routes/beliefs.ts";
import { brierAtHalf } from "#core/beliefs/calibration.ts";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { ClassConsent } from "#web/features/beliefs/ClassConsent.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type Calibration = NonNullable<AnswerOf<typeof getBeliefs>["calibration"]>;

/** A person's beliefs, beside their outcomes; nothing until they said something. */
export function BeliefsPart() {
  const t = useText();
  const { data } = useApiQuery(getBeliefs, {});
  if (!data || data.items.length === 0) return null;
  return (
    <>
      {data.calibration ? <CalibrationPart calibration={data.calibration} /> : null}
      <Section title={t("beliefs.title")} note={t("beliefs.note")}>
        {data.items.map((belief) => (
          <BeliefRow key={belief.order_id} belief={belief} />
        ))}
      </Section>
      <ClassConsent />
    </>
  );
}

function BeliefRow({ belief }: { belief: Belief }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const errorMessage = useErrorMessage();
  const { send, isBusy } = useApiMutation(removeBelief);
  const remove = async () => {
    try {
      await send({ order_id: belief.order_id });
      await invalidate(getBeliefs);
    } catch (error) {
      toast(errorMessage(error));
    }
  };
  const { market } = belief;
  return (
    <div className="flex items-center pr-1">
      <Row
        label={market ? t("beliefs.of.order", { ...market }) : t("beliefs.of.subscription")}
        hint={belief.reason ?? undefined}
        value={formatNumber(belief.confidence / 100, { style: "percent" })}
        valueHint={t(`beliefs.outcome.${belief.outcome}`)}
        className="min-w-0 flex-1"
      />
      <IconButton label={t("beliefs.delete")} disabled={isBusy} onClick={() => void remove()}>
        <IconTrash size={18} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function CalibrationPart({ calibration }: { calibration: Calibration }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const { count, right, brier, expected, luck_bp: luck, steps } = calibration;
  const percent = (share: number) =>
    formatNumber(share, { style: "percent", maximumFractionDigits: 1 });
  const score = (value: number) =>
    formatNumber(value / 10_000, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  return (
    <Section title={t("beliefs.calibration")}>
      <Row
        label={t("beliefs.brier")}
        hint={t("beliefs.brier.hint", { half: score(brierAtHalf) })}
        value={score(brier)}
      />
      <Row
        label={t("beliefs.right")}
        hint={t("beliefs.expected", { expected: formatNumber(expected / 100) })}
        value={t("beliefs.right.of", { right, count })}
      />
      {luck === null ? null : (
        <Row
          label={t("beliefs.luck")}
          hint={t("beliefs.luck.hint")}
          value={percent(luck / 10_000)}
        />
      )}
      <div className="px-4 py-3">
        <Line steps={steps} />
        <table className="mt-2 w-full text-small">
          <caption className="sr-only">{t("beliefs.calibration")}</caption>
          <thead className="text-left text-caption text-ink-faint">
            <tr>
              <th scope="col" className="py-1 font-normal">
                {t("beliefs.said")}
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                {t("beliefs.right")}
              </th>
            </tr>
          </thead>
          <tbody className="hairlines">
            {steps.map((step) => (
              <tr key={step.from}>
                <th scope="row" className="py-1 text-left font-normal">
                  {percent(step.from / 100)}–{percent(step.to / 100)}
                </th>
                <td className="py-1 text-right">
                  {t("beliefs.right.of", { right: step.right, count: step.count })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const side = 100;

/** Stated confidence to the right, share right upwards; on the dashed line both agree. */
function Line({ steps }: { steps: Calibration["steps"] }) {
  const x = (bp: number) => ((bp / 100 - 50) / 50) * side;
  const y = (share: number) => side - share * side;
  const points = steps.map(({ stated_bp: statedBp, right, count }) => ({
    x: x(statedBp),
    y: y(right / count),
    r: Math.min(5, 2 + Math.sqrt(count) / 2),
  }));
  return (
    <svg viewBox={`-6 -6 ${side + 12} ${side + 12}`} className="h-36" aria-hidden="true">
      <path d={`M0 0V${side}H${side}`} className="stroke-line-strong" fill="none" strokeWidth="1" />
      <path
        d={`M0 ${side / 2}L${side} 0`}
        className="stroke-ink-faint"
        fill="none"
        strokeWidth="1"
        strokeDasharray="3 3"
      />
      <path
        d={points.map((point, index) => `${index === 0 ? "M" : "L"}${point.x} ${point.y}`).join("")}
        className="stroke-ink"
        fill="none"
        strokeWidth="1.25"
      />
      {points.map((point) => (
        <circle key={point.x} cx={point.x} cy={point.y} r={point.r} className="fill-ink" />
      ))}
    </svg>
  );
}
