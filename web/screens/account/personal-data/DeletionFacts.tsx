import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { getDeletion } from "#api/account.ts";
import type { AnswerOf } from "#api/call.ts";

type Plan = AnswerOf<typeof getDeletion>;

/** What deleting does now, with this account's own counts: what goes, what ends, and what stays. */
export function DeletionFacts({ plan }: { plan: Plan }) {
  const { formatMessage, formatDate } = useIntl();
  const say = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const { contract, hosting, mining } = plan.running;
  const cancelled = plan.withdrawals_cancelled + plan.recharges_cancelled;
  const { exclusion } = plan;
  return (
    <>
      <Facts title={say("mydata.delete.goes")}>
        <li>{say("mydata.delete.goes.person")}</li>
        <li>{say("mydata.delete.goes.texts")}</li>
        <li>{say("mydata.delete.goes.sessions", { count: plan.sessions })}</li>
        {cancelled > 0 ? (
          <li>{say("mydata.delete.goes.cancelled", { count: cancelled })}</li>
        ) : null}
      </Facts>
      <Facts title={say("mydata.delete.stays")}>
        <li>{say("mydata.delete.stays.postings", { count: plan.postings_kept })}</li>
        {plan.withdrawals_leaving > 0 ? (
          <li>{say("mydata.delete.stays.leaving", { count: plan.withdrawals_leaving })}</li>
        ) : null}
        {contract + hosting + mining > 0 ? (
          <li>{say("mydata.delete.stays.running", { count: contract + hosting + mining })}</li>
        ) : null}
        {exclusion ? (
          <li>
            {exclusion.for_good || exclusion.until_ms === null
              ? say("mydata.delete.stays.excludedForGood")
              : exclusion.of_loss_limit
                ? say("mydata.delete.stays.lossLimit", {
                    date: formatDate(exclusion.until_ms, {
                      dateStyle: "medium",
                      timeStyle: "short",
                    }),
                  })
                : say("mydata.delete.stays.excluded", {
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
