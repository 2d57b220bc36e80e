import { useMemo } from "react";
import { useIntl } from "react-intl";
import type { Voucher } from "#api/recharge.ts";
import { groupId } from "./groupId.ts";
import type { VoucherWords } from "./voucherImage.ts";

/** What is printed on a voucher: its fields, in the person's language and with world time's dates. */
export function useVoucherWords(voucher: Voucher): VoucherWords {
  const { formatMessage, formatDate } = useIntl();
  return useMemo(() => {
    const say = (id: string) => formatMessage({ id });
    const date = (ms: number) =>
      formatDate(ms, { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
    return {
      practice: say("recharge.print.practice"),
      specimen: say("recharge.print.specimen"),
      title: say("recharge.print.title"),
      footer: say("recharge.print.footer"),
      rows: [
        { label: say("recharge.print.coin"), value: voucher.coin },
        { label: say("recharge.network"), value: say(`recharge.network.${voucher.network}`) },
        { label: say("recharge.print.number"), value: groupId(voucher.voucher_id) },
        { label: say("recharge.print.drawn"), value: date(voucher.drawn_at_ms) },
        { label: say("recharge.print.valid"), value: date(voucher.expires_at_ms) },
        { label: say("recharge.print.world"), value: voucher.world },
      ],
    };
  }, [formatMessage, formatDate, voucher]);
}
