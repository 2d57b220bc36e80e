import { useRef } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { GamblingHelp } from "#web/features/binary-warning/GamblingHelp.tsx";
import { formatPartialDate } from "#web/features/binary-warning/partialDate.ts";
import { rulings } from "#web/features/binary-warning/rulings.ts";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { JumpTo } from "#web/screens/help/JumpTo.tsx";

/**
 * The legal nature of up/down contracts, why most people lose, the authorities that ban them, and
 * where to find help with gambling.
 */
export default function BinaryView() {
  const intl = useIntl();
  const gambling = useRef<HTMLDivElement>(null);
  const t = useText();
  return (
    <>
      <p className="px-4 pt-2">{t("binary-warning.lead")}</p>
      <JumpTo target={gambling}>{t("binary-warning.gamble.title")}</JumpTo>
      <p className="px-4 pt-3 text-small text-ink-soft">{t("binary-warning.here")}</p>
      <Section title={t("binary-warning.why")} kind="plain">
        <ul className="flex list-disc flex-col gap-2 pl-5 text-small text-ink-soft">
          <li>{t("binary-warning.why.1")}</li>
          <li>{t("binary-warning.why.2")}</li>
          <li>{t("binary-warning.why.3")}</li>
        </ul>
      </Section>
      <Section title={t("binary-warning.rulings")} note={t("binary-warning.rulings.note")}>
        {rulings.map(({ id, authority, title, date, url }) => (
          <div key={id} className="px-4 py-3">
            <p>{t(`binary-warning.ruling.${id}`)}</p>
            <p className="mt-1 text-small text-ink-soft">
              {authority}: <cite className="not-italic">{title}</cite>
            </p>
            <div className="flex flex-wrap items-center justify-between gap-x-4 text-small text-ink-faint">
              {t("binary-warning.published", { date: formatPartialDate(intl, date) })}
              <OutLink url={url}>{new URL(url).host}</OutLink>
            </div>
          </div>
        ))}
      </Section>
      <div ref={gambling} tabIndex={-1}>
        <Section title={t("binary-warning.gamble.title")} kind="plain">
          <div className="text-small text-ink-soft">
            <p>{t("binary-warning.gamble.text")}</p>
            <GamblingHelp />
          </div>
        </Section>
      </div>
      <div className="px-4 pt-5">
        <Link to="/business" className={buttonClass({ variant: "outline", block: true })}>
          {t("help.binary.toMarkets")}
        </Link>
      </div>
    </>
  );
}
