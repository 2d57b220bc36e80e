import { useIntl } from "react-intl";
import { confidenceLimits, reasonMax } from "#core/beliefs/calibration.ts";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import type { BeliefDraft } from "#web/features/beliefs/useBelief.ts";

export interface BeliefFieldProps {
  kind: "order" | "subscription";
  belief: BeliefDraft;
  onChange: (belief: BeliefDraft) => void;
}

/**
 * Collapsed, because it is optional. Nothing is stored until the slider is moved, so the reason is
 * asked for only then: a reason alone would state a confidence that no one chose.
 */
export default function BeliefFieldBody({ kind, belief, onChange }: BeliefFieldProps) {
  const t = useText();
  const { formatNumber } = useIntl();
  const { min, max } = confidenceLimits;
  const { confidence, reason } = belief;
  const percent = (value: number) => formatNumber(value / 100, { style: "percent" });
  return (
    <div className="mt-2">
      <Fold label={<span className="text-small">{t("beliefs.ask")}</span>}>
        <div className="flex flex-col gap-3 pb-2">
          <div className="flex flex-col gap-1 text-small">
            <span className="flex justify-between gap-3" aria-hidden="true">
              <span>{t(`beliefs.ask.${kind}`)}</span>
              <span className="font-strong">{confidence === null ? "—" : percent(confidence)}</span>
            </span>
            <input
              type="range"
              min={min}
              max={max}
              value={confidence ?? min}
              aria-label={t(`beliefs.ask.${kind}`)}
              aria-valuetext={percent(confidence ?? min)}
              onChange={(event) => onChange({ confidence: event.target.valueAsNumber, reason })}
              className="min-h-11 w-full"
            />
          </div>
          {confidence === null ? (
            <p className="text-small text-ink-soft">{t("beliefs.ask.hint")}</p>
          ) : (
            <Field label={t("beliefs.reason")} hint={t("beliefs.ask.hint")}>
              <TextInput
                value={reason}
                maxLength={reasonMax}
                autoComplete="off"
                onChange={(text) => onChange({ confidence, reason: text })}
              />
            </Field>
          )}
        </div>
      </Fold>
    </div>
  );
}
