import { useState } from "react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import { getTransferRecord, type WalletRecord } from "#api/records.ts";
import type { Coin } from "#core/money/coins.ts";
import { Amount } from "#ui/Amount.tsx";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { client } from "#web/app/client.ts";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { columnDigits, groupByDay } from "./days.ts";

const pageSize = 20;

/** Postings by day, newest first, with the balance after each; older ones on request. */
export function RecordList({ coin }: { coin: Coin | null }) {
  const { formatMessage, formatDate } = useIntl();
  const sentence = useSentence();
  const input = { page: 1, page_size: pageSize, ...(coin === null ? {} : { coin }) };
  const first = useCall(getTransferRecord, input, { keepPrevious: true });
  const older = useOlder(coin, first.data?.before ?? null, first.data?.has_more ?? false);
  if (first.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void first.refetch()}>{sentence(first.error)}</ErrorNote>
      </div>
    );
  }
  if (!first.data) return <SkeletonRows count={6} />;
  const rows = [...first.data.items, ...older.items].filter(({ coin: some }) => some !== null);
  if (rows.length === 0) return <Empty title={formatMessage({ id: "wallet.record.none" })} />;
  const digits = columnDigits(rows.map(({ amount }) => amount ?? "0"));
  return (
    <>
      {groupByDay(rows, (ms) => formatDate(ms)).map((day) => (
        <section key={day.ms} className="mt-4">
          <h2 className="px-4 py-1.5 text-small font-normal text-ink-faint">
            {formatDate(day.ms, {
              weekday: "short",
              day: "numeric",
              month: "long",
              year: "numeric",
            })}
          </h2>
          <ul className="hairlines border-y border-line">
            {day.items.map((row) => (
              <RecordRow
                key={`${row.journal_id} ${row.coin} ${row.amount}`}
                row={row}
                digits={digits}
              />
            ))}
          </ul>
        </section>
      ))}
      {older.failure ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void older.load()}>{sentence(older.failure)}</ErrorNote>
        </div>
      ) : older.more ? (
        <div className="flex justify-center py-4">
          <Button variant="outline" busy={older.busy} onClick={() => void older.load()}>
            {formatMessage({ id: "wallet.record.more" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Pages after the first, under the first page's cursor, so that new postings do not shift them. */
function useOlder(coin: Coin | null, before: string | null, firstHasMore: boolean) {
  const [state, setState] = useState<{
    before: string | null;
    items: WalletRecord[];
    page: number;
    more: boolean;
  }>({
    before: null,
    items: [],
    page: 1,
    more: true,
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // A new first page begins anew: what was loaded after the old one may overlap it.
  if (state.before !== before) setState({ before, items: [], page: 1, more: true });
  const load = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { data } = await client.call(getTransferRecord, {
        page: state.page + 1,
        page_size: pageSize,
        ...(coin === null ? {} : { coin }),
        ...(before === null ? {} : { before }),
      });
      setState({
        before,
        items: [...state.items, ...data.items],
        page: state.page + 1,
        more: data.has_more,
      });
    } catch (cause) {
      setFailure(cause);
    } finally {
      setBusy(false);
    }
  };
  return { items: state.items, more: firstHasMore && state.more, busy, failure, load };
}

const kinds = ["attempt.start", "contract.open", "contract.settle", "contract.void"];

function RecordRow({ row, digits }: { row: WalletRecord; digits: number }) {
  const { formatMessage, formatTime } = useIntl();
  const kind = kinds.includes(row.type) ? row.type.replace(".", "_") : "other";
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <p>{formatMessage({ id: `wallet.record.kind.${kind}` })}</p>
        <p className="text-small text-ink-faint">
          {formatTime(row.at_ms, { timeStyle: "medium" })}
          {row.order_id ? (
            <>
              {" · "}
              <Link
                to={`/verify?order_id=${row.order_id}`}
                className="-my-3 inline-block py-3 font-strong text-signal-ink"
              >
                {formatMessage({ id: "wallet.record.receipt" })}
              </Link>
            </>
          ) : null}
        </p>
      </div>
      <div className="shrink-0 text-right">
        <p className="font-strong">
          <Amount
            value={row.amount ?? "0"}
            coin={row.coin ?? "pUSDT"}
            signed
            alignDigits={digits}
          />
        </p>
        <p className="text-small text-ink-faint">
          <span className="sr-only">{formatMessage({ id: "wallet.record.balance" })} </span>
          <Amount
            value={row.balance_after ?? "0"}
            coin={row.coin ?? "pUSDT"}
            alignDigits={digits}
          />
        </p>
      </div>
    </li>
  );
}
