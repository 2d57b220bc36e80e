import type { Preview } from "#api/operator/publishing.ts";
import type { MachineBody } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { NumberField, TextField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { MachineChart } from "#operator/publishing/forms/MachineChart.tsx";

const amounts = [
  ["hashrate_ths", 3, "TH/s"],
  ["price_per_day", 6, "pUSDT"],
  ["electricity_per_kwh", 6, "pUSDT/kWh"],
] as const;
const wholes = [
  ["power_w", "W"],
  ["stock", ""],
  ["quantity_max", ""],
  ["days_min", ""],
  ["days_max", ""],
] as const;

/** A machine and its price, with what it would earn and cost today. */
export function MachineForm(
  props: FormProps<MachineBody> & { figures: Preview["figures"]; isStale: boolean },
) {
  const { body, onChange, problems, fixed, figures, isStale } = props;
  const t = useText();
  const problemMessage = useProblemMessage(problems);
  const isFlattering = problems.some(({ error }) => error === "publishing.machine_flatters");
  return (
    <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 wide:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          label={t("publishing.field.product_id")}
          value={body.product_id}
          onChange={(id) => onChange({ ...body, product_id: id.trim() })}
          disabled={fixed}
          max={64}
          hint={t(fixed ? "publishing.fixed" : "publishing.id.hint")}
          error={problemMessage("product_id")}
        />
        {(["maker", "model", "source"] as const).map((name) => (
          <TextField
            key={name}
            label={t(`publishing.field.${name}`)}
            value={body[name]}
            onChange={(value) => onChange({ ...body, [name]: value })}
            max={200}
            hint={name === "source" ? t("publishing.source.hint") : undefined}
            error={problemMessage(name)}
          />
        ))}
        <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
          {amounts.map(([name, digits, unit]) => (
            <NumberField
              key={name}
              label={t(`publishing.field.${name}`)}
              digits={digits}
              unit={unit}
              value={body[name]}
              onChange={(value) => onChange({ ...body, [name]: value })}
              error={problemMessage(name)}
            />
          ))}
          {wholes.map(([name, unit]) => (
            <NumberField
              key={name}
              label={t(`publishing.field.${name}`)}
              digits={0}
              unit={unit}
              value={String(body[name])}
              onChange={(value) => onChange({ ...body, [name]: Number(value) })}
              error={problemMessage(name)}
            />
          ))}
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-4 wide:sticky wide:top-10">
        <MachineChart figures={figures} flatters={isFlattering} isStale={isStale} />
        {problemMessage("") ? (
          <p role="alert" className="text-small text-flare">
            {problemMessage("")}
          </p>
        ) : null}
      </div>
    </div>
  );
}
