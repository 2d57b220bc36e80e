import { getSittings } from "#api/routes/lesson.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Offers ten new items 21 and 90 days after the first lesson: what it teaches was found to last
 * only with a reminder.
 */
export function LessonReminder() {
  const t = useText();
  const { status } = useSession();
  const { data } = useApiQuery(getSittings, {}, { enabled: status === "signed_in" });
  if (!data?.offered) return null;
  return (
    <section className="mx-4 mt-8 rounded-dock border border-line bg-leaf p-4">
      <h2 className="font-strong">{t("first-steps.again")}</h2>
      <p className="mt-1 mb-3 text-small text-ink-soft">
        {t("first-steps.again.text", { days: Number(data.offered) })}
      </p>
      <Link to="/help?view=sitting" className={buttonClass({ variant: "outline", size: "small" })}>
        {t("first-steps.again.do")}
      </Link>
    </section>
  );
}
