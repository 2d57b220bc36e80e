import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getTeamList } from "#api/invites.ts";
import type { Coin } from "#core/money/coins.ts";
import { Badge } from "#ui/Badge.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/PagedList.tsx";
import { useApiPages } from "#web/lib/useApiPages.ts";

type Member = AnswerOf<typeof getTeamList>["items"][number];

/** Who joined, newest first. */
export function Members({ coin }: { coin: Coin }) {
  const { formatMessage } = useIntl();
  const list = useApiPages(getTeamList, { page_size: 20 });
  if (list.items?.length === 0) {
    return (
      <Empty drawing={<MooringDrawing />} title={formatMessage({ id: "invites.team.empty" })}>
        {formatMessage({ id: "invites.team.emptyText" })}
      </Empty>
    );
  }
  return (
    <Section title={formatMessage({ id: "invites.team.open" })}>
      <PagedList
        list={list}
        keyOf={(one) => one.invitation_id}
        className="hairlines"
        loading={<SkeletonRows count={3} />}
        empty={null}
      >
        {(one) => <MemberRow member={one} coin={coin} />}
      </PagedList>
    </Section>
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
