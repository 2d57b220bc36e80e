import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { getDeletion } from "#api/account.ts";
import type { AnswerOf } from "#api/call.ts";
import { useText } from "#i18n/useText.ts";

type Plan = AnswerOf<typeof getDeletion>;

/**
 * The effects of deleting now, with this account's counts: what is deleted, what ends, and what
 * stays.
 */
export function DeletionFacts({ plan }: { plan: Plan }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { contract, hosting, mining } = plan.running;
  const cancelled = plan.withdrawals_cancelled + plan.recharges_cancelled;
  const { exclusion } = plan;
  return (
    <>
      <Facts title={t("personal-data.delete.goes")}>
        <li>{t("personal-data.delete.goes.person")}</li>
        <li>{t("personal-data.delete.goes.texts")}</li>
        <li>{t("personal-data.delete.goes.sessions", { count: plan.sessions })}</li>
        {cancelled > 0 ? (
          <li>{t("personal-data.delete.goes.cancelled", { count: cancelled })}</li>
        ) : null}
      </Facts>
      <Facts title={t("personal-data.delete.stays")}>
        <li>{t("personal-data.delete.stays.postings", { count: plan.postings_kept })}</li>
        <li>{t("personal-data.delete.stays.counts")}</li>
        {plan.withdrawals_leaving > 0 ? (
          <li>{t("personal-data.delete.stays.leaving", { count: plan.withdrawals_leaving })}</li>
        ) : null}
        {contract + hosting + mining > 0 ? (
          <li>{t("personal-data.delete.stays.running", { count: contract + hosting + mining })}</li>
        ) : null}
        {exclusion ? (
          <li>
            {exclusion.for_good || exclusion.until_ms === null
              ? t("personal-data.delete.stays.excludedForGood")
              : exclusion.of_loss_limit
                ? t("personal-data.delete.stays.lossLimit", {
                    date: formatDate(exclusion.until_ms, {
                      dateStyle: "medium",
                      timeStyle: "short",
                    }),
                  })
                : t("personal-data.delete.stays.excluded", {
                    date: formatDate(exclusion.until_ms, { dateStyle: "medium" }),
                  })}
          </li>
        ) : null}
      </Facts>
    </>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-4">
      <h3 className="font-strong">{title}</h3>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-small text-ink-soft">{children}</ul>
    </section>
  );
}
