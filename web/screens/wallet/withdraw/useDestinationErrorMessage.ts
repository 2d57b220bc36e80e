import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import { listNetworks, networkNames } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import type { DestinationResult } from "./parseParams.ts";

type DestinationError = Extract<DestinationResult, { ok: false }>;

/** Says what is wrong with an address and what would be accepted. */
export function useDestinationErrorMessage(coin: Coin | null) {
  const { formatList } = useIntl();
  const t = useText();
  return (result: DestinationError): string => {
    if (result.error === "real") return t("withdraw.address.real", { chain: result.chain });
    if (result.error === "wrongNetwork") {
      return t("withdraw.address.wrongNetwork", { network: result.network, coin: coin ?? "" });
    }
    const starts = formatList(
      (coin === null ? networkNames : listNetworks(coin)).map((name) => `${name}1`),
      { type: "disjunction" },
    );
    return t(`withdraw.address.${result.error}`, { starts });
  };
}
