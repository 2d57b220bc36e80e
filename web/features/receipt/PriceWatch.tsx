import { useEffect } from "react";
import { useStore } from "#ui/createStore.ts";
import { priceWatch, watchPrices } from "#web/features/receipt/watchPrices.ts";
import { reportFailure } from "#web/lib/start/errorLog.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const PriceDiffers = lazyComponent(
  () => import("#web/features/receipt/PriceDiffers.tsx"),
  ["verify"],
  null,
);

/**
 * Compares pushed prices with the log in the background; a mismatch stays above every screen until
 * the page is closed.
 */
export function PriceWatch() {
  const watch = useStore(priceWatch);
  useEffect(() => {
    watchPrices(({ leaf, symbol, pushed, logged }) =>
      reportFailure("price", new Error(`leaf ${leaf}: ${symbol} pushed ${pushed}, log ${logged}`)),
    );
  }, []);
  return watch.state === "differs" ? <PriceDiffers difference={watch.difference} /> : null;
}
