import { useIntl } from "react-intl";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import {
  formatValue,
  type Label,
  type ValueFormat,
} from "#web/features/receipt/tampering/alterable.ts";

/** Labels and values of a receipt in the language on screen, every digit shown. */
export function useValueTexts() {
  const { locale } = useIntl();
  const t = useText();
  const label = ({ id, values }: Label): string => t(id, values);
  const value = (form: ValueFormat, of: string | number): string => {
    if (form.is === "choice") {
      const option = form.options.find((option) => option.value === of);
      return option ? label(option.label) : String(of);
    }
    if (form.is !== "decimal") return formatValue(form, of);
    const number = formatNumber(formatDecimal(BigInt(of), form.scale), locale);
    return form.unit === null ? number : `${number} ${form.unit}`;
  };
  return { label, value };
}
