import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { AnswerOf } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import type { InboxItem } from "#api/inbox.ts";
import { getInbox, getUnread, markInboxRead } from "#api/routes/inbox.ts";
import { type Translate, useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { RelativeTime } from "#ui/figures/RelativeTime.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { client } from "#web/lib/api/client.ts";
import { getPagesKey } from "#web/lib/api/useApiPages.ts";
import { replaceAnswer } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

const pageSize = 30;
const EarlierAttempt = lazyComponent(
  () => import("#web/features/attempts/EarlierAttempt.tsx"),
  ["attempts"],
  null,
);

/** The items, page after page. What is shown counts as read; it stays marked as new until left. */
export function InboxList() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const query = useInfiniteQuery<AnswerOf<typeof getInbox>, ApiError>({
    queryKey: getPagesKey(getInbox, {}),
    initialPageParam: undefined,
    queryFn: async ({ pageParam, signal }) => {
      const before = pageParam as string | undefined;
      const input = { page_size: pageSize, ...(before === undefined ? {} : { before }) };
      return (await client.call(getInbox, input, { signal })).data;
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const pages = query.data?.pages;
  useReadUpTo(pages?.[0]);
  if (!pages) {
    return query.error ? (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      </div>
    ) : (
      <SkeletonRows />
    );
  }
  const items = new Map(pages.flatMap((page) => page.items).map((item) => [item.event_id, item]));
  if (items.size === 0) {
    return (
      <>
        <Empty drawing={<EmptyDockDrawing />} title={t("inbox.none")}>
          {t("inbox.none.text")}
        </Empty>
        <EarlierAttempt />
      </>
    );
  }
  return (
    <>
      <ul className="hairlines border-y border-line">
        {[...items.values()].map((item) => (
          <li key={item.event_id}>
            <Item item={item} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="flex justify-center py-4">
          <Button
            variant="outline"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("inbox.more")}
          </Button>
        </div>
      ) : (
        <EarlierAttempt />
      )}
    </>
  );
}

/** Marks what the first page shows as read, once for each newest item. */
function useReadUpTo(first: AnswerOf<typeof getInbox> | undefined): void {
  const newest = first?.items[0];
  const position = newest?.unread ? first?.before : null;
  useEffect(() => {
    if (!position) return;
    client
      .call(markInboxRead, { position })
      .then(({ data }) => replaceAnswer(getUnread, {}, data))
      .catch(() => undefined);
  }, [position]);
}

function Item({ item }: { item: InboxItem }) {
  const t = useText();
  const time = <RelativeTime atMs={item.at_ms} now={getWorldNowMs} />;
  const to = item.receipt ?? item.link;
  return (
    <Row
      {...(to === null ? {} : { to })}
      label={
        <span className={item.unread ? "font-strong" : ""}>
          {formatTitle(item, t)} {item.unread ? <Badge>{t("inbox.new")}</Badge> : null}
        </span>
      }
      hint={
        item.act ? (
          <>
            {time} · {item.act.why}
          </>
        ) : (
          time
        )
      }
      value={
        item.amount === null || item.coin === null ? undefined : (
          <Amount value={item.amount} coin={item.coin} signed toned={isResult(item)} />
        )
      }
    />
  );
}

/** Money received or sent is neither a gain nor a loss, and has no tone. */
const isResult = ({ type }: InboxItem) => type === "contract.settled";

const kinds = new Set([
  "withdraw_leave",
  "recharge_credit",
  "recharge_refused",
  "hosting_redeem",
  "mining_payout",
  "send_move",
  "reward_invitation",
  "identity_verified",
  "identity_refused",
]);

function formatTitle({ type, facts, act }: InboxItem, t: Translate): string {
  if (act) return t("inbox.kind.console_act", { role: act.role, what: act.what });
  const name = type.replace(".", "_");
  if (name === "contract_settled") {
    const { symbol, outcome } = facts;
    return typeof symbol === "string" && typeof outcome === "string"
      ? t("inbox.kind.contract_settled", { symbol, outcome })
      : t("inbox.kind.other");
  }
  return t(kinds.has(name) ? `inbox.kind.${name}` : "inbox.kind.other");
}
