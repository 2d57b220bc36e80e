import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getTeamList } from "#api/routes/invites.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

type Member = AnswerOf<typeof getTeamList>["items"][number];

/** The people who joined, newest first. */
export function Members({ coin }: { coin: Coin }) {
  const t = useText();
  const list = useApiPages(getTeamList, { page_size: 20 });
  if (list.items?.length === 0) {
    return (
      <Empty drawing={<MooringDrawing />} title={t("invites.team.empty")}>
        {t("invites.team.emptyText")}
      </Empty>
    );
  }
  return (
    <Section title={t("invites.team.open")}>
      <PagedList
        list={list}
        keyOf={(item) => item.invitation_id}
        className="hairlines"
        loading={<SkeletonRows count={3} />}
        empty={null}
      >
        {(item) => <MemberRow member={item} coin={coin} />}
      </PagedList>
    </Section>
  );
}

function MemberRow({ member, coin }: { member: Member; coin: Coin }) {
  const { formatDate } = useIntl();
  const t = useText();
  const date = formatDate(member.joined_at_ms, { dateStyle: "medium" });
  const { name, reward, lesson_finished: finished, rewarded_amount: amount } = member;
  const state = reward === "waiting" && finished ? "pending" : reward;
  return (
    <Row
      label={name ?? t("invites.team.someone", { date })}
      hint={name ? t("invites.team.since", { date }) : undefined}
      value={
        state === "rewarded" ? (
          <Amount value={amount} coin={coin} signed />
        ) : (
          <Badge>{t(`invites.state.${state}`)}</Badge>
        )
      }
      valueHint={finished ? t("invites.team.finished") : undefined}
    />
  );
}
