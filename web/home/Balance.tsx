import { useIntl } from "react-intl";
import { Link } from "react-router";
import { getWalletList } from "#api/wallet.ts";
import { Amount } from "#ui/Amount.tsx";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useSession } from "#web/app/session/useSession.ts";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";

/** The practice balance, or the invitation to sign in. Both take the same room, so that nothing below jumps. */
export function Balance() {
  const { status } = useSession();
  return (
    <section className="min-h-40 px-4 pt-5 pb-2">
      {status === "signed_out" ? <Invitation /> : <Total known={status === "signed_in"} />}
    </section>
  );
}

function Invitation() {
  const { formatMessage } = useIntl();
  const { signIn } = useSession();
  return (
    <>
      <h2 className="text-title font-strong tracking-tight">
        {formatMessage({ id: "home.invite.title" })}
      </h2>
      <p className="mt-1 mb-4 text-small text-ink-soft">
        {formatMessage({ id: "home.invite.text" })}
      </p>
      <Button block onClick={signIn}>
        {formatMessage({ id: "home.invite.action" })}
      </Button>
    </>
  );
}

function Total({ known }: { known: boolean }) {
  const { formatMessage, formatTime } = useIntl();
  const sentence = useSentence();
  const { data, error, isFetching, refetch } = useCall(getWalletList, {}, { enabled: known });
  if (error && !data) {
    return (
      <ErrorNote busy={isFetching} onRetry={() => void refetch()}>
        {sentence(error)}
      </ErrorNote>
    );
  }
  return (
    <>
      <h2 className="text-small font-normal text-ink-soft">
        {formatMessage({ id: "home.balance.title" })}
      </h2>
      <p className="mt-0.5 text-figure font-strong tracking-tight">
        {data ? (
          data.total === null ? (
            <span className="text-ink-faint">{formatMessage({ id: "home.balance.none" })}</span>
          ) : (
            <Amount value={twoDigits(data.total)} coin={data.display_currency} />
          )
        ) : (
          <Skeleton width="11rem" height="1.75rem" />
        )}
      </p>
      <p className="min-h-5 text-small text-ink-faint">
        {data?.priced_at_ms
          ? formatMessage(
              { id: "home.balance.priced" },
              { time: formatTime(data.priced_at_ms, { timeStyle: "medium" }) },
            )
          : null}
      </p>
      <div className="mt-4 flex gap-2">
        <Link to="/wallet" className={buttonClass({ variant: "outline", size: "small" })}>
          {formatMessage({ id: "home.balance.wallet" })}
        </Link>
        <Link to="/wallet-record" className={buttonClass({ variant: "outline", size: "small" })}>
          {formatMessage({ id: "home.balance.records" })}
        </Link>
      </div>
    </>
  );
}

/** A total at the index has more digits than anybody reads; the wallet shows every coin in full. */
function twoDigits(total: string): string {
  return /^-?\d+(\.\d{1,2})?/.exec(total)?.[0] ?? total;
}
