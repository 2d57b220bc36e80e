import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Link } from "#ui/router.tsx";
import { GamblingHelp } from "#web/features/binary-warning/GamblingHelp.tsx";

/**
 * The bans of the product sold on this page, and where to find help, in a few lines below the
 * markets. Help has the full statement.
 */
export default function BinaryStatement() {
  const t = useText();
  return (
    <>
      <p className="mt-2">{t("binary-warning.short")}</p>
      <Fold label={t("binary-warning.gamble.title")}>
        <p>{t("binary-warning.gamble.text")}</p>
        <GamblingHelp nearOnly />
      </Fold>
      <Link
        to="/help?view=binary"
        className="inline-flex min-h-11 items-center font-strong text-signal-ink"
      >
        {t("binary-warning.more")}
      </Link>
    </>
  );
}
