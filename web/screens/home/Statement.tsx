import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";

/** The nature of Drydock, in two sentences, with a link to more. */
export function Statement() {
  const t = useText();
  return (
    <section className="mt-8 px-4">
      <p className="text-small text-ink-soft">{t("home.statement.is")}</p>
      <p className="mt-2 text-small text-ink-soft">{t("home.statement.not")}</p>
      <Link
        to="/help"
        className="-mx-2 inline-flex min-h-11 items-center rounded-dock px-2 text-small text-signal-ink hover:underline"
      >
        {t("home.statement.more")}
      </Link>
    </section>
  );
}
