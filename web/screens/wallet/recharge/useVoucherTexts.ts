import { useMemo } from "react";
import { useIntl } from "react-intl";
import type { Voucher } from "#api/recharge.ts";
import { useText } from "#i18n/useText.ts";
import { groupId } from "./groupId.ts";
import type { VoucherTexts } from "./voucherImage.ts";

/**
 * The printed text of a voucher: its fields, in the person's language and with dates in world time.
 */
export function useVoucherTexts(voucher: Voucher): VoucherTexts {
  const { formatDate } = useIntl();
  const t = useText();
  return useMemo(() => {
    const date = (ms: number) =>
      formatDate(ms, { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
    return {
      practice: t("recharge.print.practice"),
      specimen: t("recharge.print.specimen"),
      title: t("recharge.print.title"),
      footer: t("recharge.print.footer"),
      rows: [
        { label: t("recharge.print.coin"), value: voucher.coin },
        { label: t("recharge.network"), value: t(`recharge.network.${voucher.network}`) },
        { label: t("recharge.print.number"), value: groupId(voucher.voucher_id) },
        { label: t("recharge.print.drawn"), value: date(voucher.drawn_at_ms) },
        { label: t("recharge.print.valid"), value: date(voucher.expires_at_ms) },
        { label: t("recharge.print.world"), value: voucher.world },
      ],
    };
  }, [t, formatDate, voucher]);
}
