import { useText } from "#i18n/useText.ts";
import { Switch } from "#ui/form/Switch.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

const ofTrade = [
  ["U", "up"],
  ["D", "down"],
  ["1–5", "tier"],
  ["Enter", "place"],
  ["Esc", "back"],
  ["?", "list"],
] as const;
const ofChart = [
  ["← →", "bar"],
  ["Shift ← →", "tenBars"],
  ["PgUp PgDn", "range"],
  ["Home End", "ends"],
  ["+ −", "zoom"],
  ["S", "sound"],
  ["Esc", "letGo"],
] as const;

interface KeysSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  isOn: boolean;
  onSwitch: (on: boolean) => void;
}

/** How to read the chart, and every key of it and of the screen; single letters can be switched off. */
export default function KeysSheet({ open, onOpenChange, isOn, onSwitch }: KeysSheetProps) {
  const t = useText();
  const list = (title: string, keys: readonly (readonly [key: string, id: string])[]) => (
    <Section title={title} className="-mx-4">
      {keys.map(([key, id]) => (
        <Row
          key={id}
          label={t(`contracts.keys.${id}`)}
          value={
            <kbd className="rounded-dock border border-line-strong px-2 py-0.5 font-sans text-small">
              {key}
            </kbd>
          }
          className="min-h-11 text-small"
        />
      ))}
    </Section>
  );
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t("contracts.keys.title")}>
      <Section kind="plain" className="-mx-4" title={t("contracts.keys.read")}>
        <div className="flex flex-col gap-2 text-small text-ink-soft">
          <p>{t("contracts.keys.readLine")}</p>
          <p>{t("contracts.keys.readBar")}</p>
          <p>{t("contracts.keys.readTouch")}</p>
        </div>
      </Section>
      <Section className="-mx-4">
        <Row
          label={t("contracts.keys.switch")}
          hint={t("contracts.keys.switchHint")}
          value={<Switch label={t("contracts.keys.switch")} checked={isOn} onChange={onSwitch} />}
        />
      </Section>
      {list(t("contracts.keys.trade"), ofTrade)}
      {list(t("contracts.keys.chart"), ofChart)}
    </Sheet>
  );
}
