import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getTeamList } from "#api/routes/invites.ts";
import type { Coin } from "#core/money/coins.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

type Member = AnswerOf<typeof getTeamList>["items"][number];

const step = 20;
const most = 100;

/** Who joined, newest first; as many as one page of the wire can hold. */
export function Members({ coin }: { coin: Coin }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [size, setSize] = useState(step);
  const list = useCall(getTeamList, { page: 1, page_size: size }, { keepPrevious: true });
  if (list.error) {
    return <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>;
  }
  if (!list.data) return <SkeletonRows count={3} />;
  const { items, has_more: more } = list.data;
  if (items.length === 0) {
    return (
      <Empty drawing={<MooringDrawing />} title={formatMessage({ id: "invites.team.empty" })}>
        {formatMessage({ id: "invites.team.emptyText" })}
      </Empty>
    );
  }
  return (
    <>
      <Section title={formatMessage({ id: "invites.team.open" })}>
        {items.map((one) => (
          <MemberRow key={one.invitation_id} member={one} coin={coin} />
        ))}
      </Section>
      {more && size < most ? (
        <div className="px-4 pt-3">
          <Button
            block
            variant="quiet"
            busy={list.isFetching}
            onClick={() => setSize((now) => Math.min(most, now + step))}
          >
            {formatMessage({ id: "invites.team.more" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function MemberRow({ member, coin }: { member: Member; coin: Coin }) {
  const { formatMessage, formatDate } = useIntl();
  const date = formatDate(member.joined_at_ms, { dateStyle: "medium" });
  const { name, reward, lesson_finished: finished, rewarded_amount: amount } = member;
  const state = reward === "waiting" && finished ? "pending" : reward;
  return (
    <Row
      label={name ?? formatMessage({ id: "invites.team.someone" }, { date })}
      hint={name ? formatMessage({ id: "invites.team.since" }, { date }) : undefined}
      value={
        state === "rewarded" ? (
          <Amount value={amount} coin={coin} signed />
        ) : (
          <Badge>{formatMessage({ id: `invites.state.${state}` })}</Badge>
        )
      }
      valueHint={finished ? formatMessage({ id: "invites.team.finished" }) : undefined}
    />
  );
}
