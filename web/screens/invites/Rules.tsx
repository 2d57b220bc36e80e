import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";

export interface RewardRule {
  coin: string;
  amount: string;
  maximum: number;
}

/**
 * How an invitation is rewarded, and why a real platform must not do so. Empty until the rule has
 * loaded; its column is already laid out.
 */
export function Rules({ reward }: { reward: RewardRule | undefined }) {
  const t = useText();
  if (!reward) return null;
  return (
    <>
      <Section kind="plain" title={t("invites.how.title")}>
        <p>
          {t("invites.how.rule", {
            amount: reward.amount,
            coin: reward.coin,
            maximum: reward.maximum,
          })}
        </p>
        <p className="mt-2 text-small text-ink-soft">{t("invites.how.level")}</p>
      </Section>
      <Section kind="plain" title={t("invites.how.whyTitle")}>
        <p className="border-l-2 border-warning pl-3">{t("invites.how.why")}</p>
        <Link
          to="/help?view=red-flags&flag=recruiting"
          className="inline-flex min-h-11 items-center text-small font-strong text-signal-ink hover:underline"
        >
          {t("invites.how.flag")}
        </Link>
      </Section>
    </>
  );
}
