import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { type Span, spanPresets } from "./span.ts";

/** The days that the figures cover, kept in the address. */
export function SpanPicker({
  span,
  onChange,
}: {
  span: Span;
  onChange: (changes: Record<string, string>) => void;
}) {
  const t = useText();
  const { preset, from, to, problem } = span;
  return (
    <div className="px-4 wide:max-w-160">
      <Segmented
        label={t("performance.span")}
        value={preset ?? "own"}
        onChange={(days) => onChange({ days })}
        options={spanPresets.map((value) => ({ value, label: t(`performance.span.${value}`) }))}
      />
      <Fold label={<span className="text-small">{t("performance.span.own")}</span>}>
        <div className="grid grid-cols-2 gap-3 pb-2">
          <Field label={t("records.filter.from")}>
            <TextInput type="date" value={from} onChange={(day) => onChange({ from: day, to })} />
          </Field>
          <Field
            label={t("records.filter.to")}
            error={problem === null ? undefined : t(`records.filter.${problem}`)}
          >
            <TextInput type="date" value={to} onChange={(day) => onChange({ from, to: day })} />
          </Field>
        </div>
      </Fold>
    </div>
  );
}
