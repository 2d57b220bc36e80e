import { useState } from "react";
import { coinCodes } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toRange } from "./filterQuery.ts";

interface FilterSheetProps {
  open: boolean;
  onClose: () => void;
  query: URLSearchParams;
  onApply: (changes: Record<string, string>) => void;
}

/** Coin and days. Choices apply only when the button is pressed. */
export function FilterSheet({ open, onClose, query, onApply }: FilterSheetProps) {
  const t = useText();
  const [coin, setCoin] = useState(query.get("coin") ?? "");
  const [from, setFrom] = useState(query.get("from") ?? "");
  const [to, setTo] = useState(query.get("to") ?? "");
  const range = toRange(from, to);
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("records.filter")}
      actions={
        <>
          <Button
            block
            disabled={!range.ok}
            onClick={() => {
              onApply({ coin, from, to });
              onClose();
            }}
          >
            {t("records.filter.apply")}
          </Button>
          <Button
            variant="quiet"
            block
            onClick={() => {
              setCoin("");
              setFrom("");
              setTo("");
              onApply({ coin: "", from: "", to: "" });
              onClose();
            }}
          >
            {t("records.filter.clear")}
          </Button>
        </>
      }
    >
      <fieldset className="mb-5 min-w-0">
        <legend className="pb-1.5 text-small font-strong">{t("records.filter.coin")}</legend>
        <div className="flex flex-wrap gap-2">
          <Chip selected={coin === ""} onClick={() => setCoin("")}>
            {t("records.filter.anyCoin")}
          </Chip>
          {coinCodes.map((code) => (
            <Chip key={code} selected={coin === code} onClick={() => setCoin(code)}>
              {code}
            </Chip>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4">
        <Field label={t("records.filter.from")}>
          <TextInput type="date" value={from} onChange={setFrom} />
        </Field>
        <Field
          label={t("records.filter.to")}
          hint={t("records.filter.hint")}
          error={range.ok ? undefined : t(`records.filter.${range.error}`)}
        >
          <TextInput type="date" value={to} onChange={setTo} />
        </Field>
      </div>
    </Sheet>
  );
}
