import { getWithdrawList } from "#api/routes/withdraw.ts";
import type { Withdrawal } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { WithdrawalItem } from "./WithdrawalItem.tsx";

/** Polled more often while one is being processed. */
function refetchMs(withdrawals: readonly Withdrawal[]): number | undefined {
  return withdrawals.some(({ state }) => state === "closing") ? 2_000 : undefined;
}

/** Withdrawals of a coin in an attempt (the current one by default), newest first. */
export function WithdrawalList({ coin, attemptId }: { coin: Coin; attemptId: string | undefined }) {
  const t = useText();
  const list = useApiPages(
    getWithdrawList,
    { coin, page_size: 5, ...(attemptId === undefined ? {} : { attempt_id: attemptId }) },
    { refetchMs },
  );
  return (
    <Section title={t("withdraw.list")}>
      <PagedList
        as="ul"
        list={list}
        keyOf={(item) => item.withdrawal_id}
        className="hairlines"
        loading={<SkeletonRows count={2} />}
        empty={
          <p className="px-4 py-4 text-small text-ink-soft">{t("withdraw.list.none", { coin })}</p>
        }
      >
        {(item) => <WithdrawalItem withdrawal={item} onDue={list.refetch} />}
      </PagedList>
    </Section>
  );
}
