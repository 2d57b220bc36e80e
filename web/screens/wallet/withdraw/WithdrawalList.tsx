import { useState } from "react";
import { useIntl } from "react-intl";
import { getWithdrawList } from "#api/routes/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { WithdrawalItem } from "./WithdrawalItem.tsx";

const step = 5;
const most = 100;

/** Withdrawals of a coin in an attempt, the current one without another, newest first; asked for more often while one is on its way. */
export function WithdrawalList({ coin, attemptId }: { coin: Coin; attemptId: string | undefined }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [size, setSize] = useState(step);
  const [moving, setMoving] = useState(false);
  const list = useCall(
    getWithdrawList,
    {
      coin,
      page: 1,
      page_size: size,
      ...(attemptId === undefined ? {} : { attempt_id: attemptId }),
    },
    { keepPrevious: true, ...(moving ? { refetchMs: 2_000 } : {}) },
  );
  const items = list.data?.items ?? [];
  const nowMoving = items.some(({ state }) => state === "closing");
  if (nowMoving !== moving) setMoving(nowMoving);
  return (
    <Section title={formatMessage({ id: "withdraw.list" })}>
      {list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
        </div>
      ) : !list.data ? (
        <SkeletonRows count={2} />
      ) : items.length === 0 ? (
        <p className="px-4 py-4 text-small text-ink-soft">
          {formatMessage({ id: "withdraw.list.none" }, { coin })}
        </p>
      ) : (
        <ul className="hairlines">
          {items.map((item) => (
            <WithdrawalItem
              key={item.withdrawal_id}
              withdrawal={item}
              onDue={() => void list.refetch()}
            />
          ))}
        </ul>
      )}
      {list.data?.has_more && size < most ? (
        <div className="flex justify-center py-3">
          <Button
            variant="outline"
            busy={list.isFetching}
            onClick={() => setSize(Math.min(most, size * 4))}
          >
            {formatMessage({ id: "withdraw.list.more" })}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}
