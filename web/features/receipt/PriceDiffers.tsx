import { FormattedMessage, useIntl } from "react-intl";
import { Link } from "#ui/router.tsx";
import type { PriceMismatch } from "#web/features/receipt/priceSample.ts";

/** A price pushed to this page that differs from the log. */
export default function PriceDiffers({ difference }: { difference: PriceMismatch }) {
  const { formatTime } = useIntl();
  const { secondMs, symbol, pushed, logged } = difference;
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
