import { useEffect } from "react";
import { FormattedMessage, useIntl } from "react-intl";
import { Link } from "react-router";
import { useStore } from "#ui/createStore.ts";
import { priceWatch, watchPrices } from "#web/features/receipt/watchPrices.ts";
import { reportFailure } from "#web/lib/start/errorLog.ts";

/**
 * Compares pushed prices with the log in the background; a mismatch stays above every screen until
 * the page is closed.
 */
export function PriceWatch() {
  const { formatTime } = useIntl();
  const watch = useStore(priceWatch);
  useEffect(() => {
    watchPrices(({ leaf, symbol, pushed, logged }) =>
      reportFailure("price", new Error(`leaf ${leaf}: ${symbol} pushed ${pushed}, log ${logged}`)),
    );
  }, []);
  if (watch.state !== "differs") return null;
  const { secondMs, symbol, pushed, logged } = watch.difference;
  const time = formatTime(secondMs, { timeStyle: "medium" });
  return (
    <div role="alert" className="border-b border-flare bg-flare-wash px-4 py-2 text-small">
      <FormattedMessage
        id="verify.watch.differs"
        values={{ time, symbol, pushed: pushed ?? "—", logged: logged ?? "—" }}
      />{" "}
      <Link to="/verify?part=log" className="text-signal-ink underline">
        <FormattedMessage id="verify.title" />
      </Link>
    </div>
  );
}
