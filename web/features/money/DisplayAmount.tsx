import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorth } from "#ui/figures/shortAmount.ts";
import type { AccountView } from "#web/features/money/useAccount.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";

/** An amount of pUSDT in the display currency, shortened; a loss is never rounded down. */
export function DisplayAmount({
  view,
  value,
  signed,
  bare,
  isExact,
}: {
  view: AccountView;
  value: bigint;
  /** Shows the amount as a change, with its sign and colour. */
  signed?: boolean;
  bare?: boolean;
  /** Shows every digit, in pUSDT. */
  isExact?: boolean;
}) {
  const [hidden] = useHideAmounts();
  const { display, inDisplay } = view;
  const shownValue = isExact ? value : inDisplay(value);
  const coin = isExact ? "pUSDT" : display;
  const text = shownValue !== null && !isExact ? toShortText(shownValue, display) : shownValue;
  return (
    <HideableAmount hidden={hidden}>
      {text === null ? (
        "—"
      ) : (
        <Amount
          value={text}
          coin={coin}
          bare={bare === true}
          signed={signed === true}
          toned={signed === true}
        />
      )}
    </HideableAmount>
  );
}

function toShortText(value: bigint, display: AccountView["display"]): string {
  return value < 0n ? `-${shortWorth(-value, display, "up")}` : shortWorth(value, display);
}
