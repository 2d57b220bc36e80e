import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";

/** The side of the exchange whose amount is typed. */
export const sides = ["give", "get"] as const;
export type Side = (typeof sides)[number];

interface EnteredAmountProps {
  side: Side;
  onSide: (side: Side) => void;
  from: Coin;
  to: Coin;
  value: string;
  onChange: (amount: string) => void;
  /** Of `from`; null while it is unknown. */
  available: string | null;
  /** The amount to give at the current index for the typed one; null for none. */
  estimate: string | null;
  isMissing: boolean;
  /** More than what is available would be given. */
  isTooMuch: boolean;
}

/** The amount to give, or the amount to receive with about what it costs. */
export function EnteredAmount(props: EnteredAmountProps) {
  const { side, onSide, from, to, value, onChange, available, estimate, isMissing, isTooMuch } =
    props;
  const t = useText();
  const { locale } = useIntl();
  return (
    <>
      <Segmented
        label={t("exchange.by")}
        value={side}
        onChange={onSide}
        options={sides.map((option) => ({ value: option, label: t(`exchange.by.${option}`) }))}
      />
      <Field
        label={t(side === "give" ? "exchange.give" : "exchange.want")}
        aside={
          available === null ? null : (
            <>
              {t("exchange.available")} <Amount value={available} coin={from} />
            </>
          )
        }
        hint={
          estimate === null
            ? undefined
            : t("exchange.about", { amount: `${formatNumber(estimate, locale)} ${from}` })
        }
        error={
          isMissing ? t("exchange.enterAmount") : isTooMuch ? t("exchange.tooMuch") : undefined
        }
      >
        <AmountInput
          value={value}
          coin={side === "give" ? from : to}
          onChange={onChange}
          chips={
            side === "get" || available === null
              ? []
              : [{ label: t("exchange.all"), value: available }]
          }
        />
      </Field>
    </>
  );
}
