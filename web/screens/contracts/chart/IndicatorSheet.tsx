import { useIntl } from "react-intl";
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

/** Which indicators are drawn. */
export default function IndicatorSheet({
  open,
  onOpenChange,
  value,
  onChange,
}: IndicatorSheetProps) {
  const { formatMessage } = useIntl();
  const group = (pane: boolean, title: string) => (
    <Section title={formatMessage({ id: title })} className="-mx-4">
      {indicatorNames
        .filter((name) => indicators[name].pane === pane)
        .map((name) => (
          <Row
            key={name}
            label={formatMessage({ id: `contracts.chart.${name}` })}
            hint={`${name} ${indicators[name].params.join(", ")}`}
            value={
              <Switch
                label={formatMessage({ id: `contracts.chart.${name}` })}
                checked={value.includes(name)}
                onChange={(on) =>
                  onChange(
                    indicatorNames.filter((other) => (other === name ? on : value.includes(other))),
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
      title={formatMessage({ id: "contracts.chart.indicators" })}
      description={formatMessage({ id: "contracts.chart.indicatorsHint" })}
    >
      {group(false, "contracts.chart.onPrice")}
      {group(true, "contracts.chart.below")}
    </Sheet>
  );
}
