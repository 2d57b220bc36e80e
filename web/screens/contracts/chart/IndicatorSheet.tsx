import { useText } from "#i18n/useText.ts";
import { Switch } from "#ui/form/Switch.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { type IndicatorName, indicatorNames, indicators } from "./indicators.ts";

export interface IndicatorSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  value: IndicatorName[];
  onChange: (value: IndicatorName[]) => void;
}

/** Chooses which indicators are drawn. */
export default function IndicatorSheet({
  open,
  onOpenChange,
  value,
  onChange,
}: IndicatorSheetProps) {
  const t = useText();
  const group = (pane: boolean, title: string) => (
    <Section title={t(title)} className="-mx-4">
      {indicatorNames
        .filter((name) => indicators[name].pane === pane)
        .map((name) => (
          <Row
            key={name}
            label={t(`contracts.chart.${name}`)}
            hint={`${name} ${indicators[name].params.join(", ")}`}
            value={
              <Switch
                label={t(`contracts.chart.${name}`)}
                checked={value.includes(name)}
                onChange={(on) =>
                  onChange(
                    indicatorNames.filter((indicator) =>
                      indicator === name ? on : value.includes(indicator),
                    ),
                  )
                }
              />
            }
          />
        ))}
    </Section>
  );
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("contracts.chart.indicators")}
      description={t("contracts.chart.indicatorsHint")}
    >
      {group(false, "contracts.chart.onPrice")}
      {group(true, "contracts.chart.below")}
    </Sheet>
  );
}
