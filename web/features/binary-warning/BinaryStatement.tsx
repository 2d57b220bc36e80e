import { useIntl } from "react-intl";
import { Link } from "react-router";
import { Fold } from "#web/features/binary-warning/Fold.tsx";
import { GamblingHelp } from "#web/features/binary-warning/GamblingHelp.tsx";

/** Who bans what is sold on this page, and where to find help: a few lines below the markets. The whole is in Help. */
export default function BinaryStatement() {
  const { formatMessage } = useIntl();
  return (
    <>
      <p className="mt-2">{formatMessage({ id: "binary.short" })}</p>
      <Fold label={formatMessage({ id: "binary.gamble.title" })}>
        <p>{formatMessage({ id: "binary.gamble.text" })}</p>
        <GamblingHelp nearOnly />
      </Fold>
      <Link
        to="/help?view=binary"
        className="inline-flex min-h-11 items-center font-strong text-signal-ink"
      >
        {formatMessage({ id: "binary.more" })}
      </Link>
    </>
  );
}
