import { coinCodes, coins } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useDisplay } from "#web/lib/display.ts";
import { CoinMark } from "./CoinMark.tsx";

/** Chooses the display currency. */
export function DisplaySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const [display, setDisplay] = useDisplay();
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("wallet.display")}
      description={t("wallet.display.text")}
    >
      <fieldset aria-label={t("wallet.display")} className="hairlines -mx-4 border-y border-line">
        {coinCodes.map((coin) => (
          <label
            key={coin}
            className="flex min-h-14 cursor-pointer items-center gap-3 px-4 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal-ink"
          >
            <CoinMark coin={coin} />
            <span className="flex-1">
              <span className="font-strong">{coin}</span>
              <span className="block text-small text-ink-faint">
                {t("wallet.practiceOf", { asset: coins[coin].standsFor })}
              </span>
            </span>
            <input
              type="radio"
              name="display"
              checked={coin === display}
              onChange={() => setDisplay(coin)}
              onClick={onClose}
              className="size-5"
            />
          </label>
        ))}
      </fieldset>
    </Sheet>
  );
}
