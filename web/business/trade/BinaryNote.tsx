import { useIntl } from "react-intl";
import { Link } from "react-router";

/** What this product is called in law, and where that is explained. */
export function BinaryNote() {
  const { formatMessage } = useIntl();
  return (
    <section className="border-l-2 border-mind pl-3 text-small text-ink-soft">
      <h2 className="font-strong text-ink">{formatMessage({ id: "contracts.binary.title" })}</h2>
      <p className="mt-1">{formatMessage({ id: "contracts.binary.body" })}</p>
      <Link
        to="/help#binary-options"
        className="inline-flex min-h-11 items-center font-strong text-signal-ink"
      >
        {formatMessage({ id: "contracts.binary.help" })}
      </Link>
    </section>
  );
}
