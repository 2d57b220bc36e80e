import { useIntl } from "react-intl";
import { Link } from "react-router";
import { Section } from "#ui/Section.tsx";

export interface RewardRule {
  coin: string;
  amount: string;
  maximum: number;
}

/** How an invitation is rewarded, and why a real platform must not do so. Nothing while the rule is not known; its column stands already. */
export function Rules({ reward }: { reward: RewardRule | undefined }) {
  const { formatMessage } = useIntl();
  const say = (id: string) => formatMessage({ id });
  if (!reward) return null;
  return (
    <>
      <Section kind="plain" title={say("invites.how.title")}>
        <p>
          {formatMessage(
            { id: "invites.how.rule" },
            { amount: reward.amount, coin: reward.coin, maximum: reward.maximum },
          )}
        </p>
        <p className="mt-2 text-small text-ink-soft">{say("invites.how.level")}</p>
      </Section>
      <Section kind="plain" title={say("invites.how.whyTitle")}>
        <p className="border-l-2 border-mind pl-3">{say("invites.how.why")}</p>
        <Link
          to="/help?view=red-flags&flag=recruiting"
          className="inline-flex min-h-11 items-center text-small font-strong text-signal-ink hover:underline"
        >
          {say("invites.how.flag")}
        </Link>
      </Section>
    </>
  );
}
