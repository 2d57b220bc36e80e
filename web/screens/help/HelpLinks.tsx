import { getHelpLinks } from "#api/routes/publishing.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { OutRow } from "#web/features/leave-site/OutLink.tsx";
import { parseTarget } from "#web/features/leave-site/parseTarget.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useSettings } from "#web/lib/settings.ts";

/**
 * Help and support links published by this instance's operator; nothing when there are none or they
 * cannot be loaded, as the rest of Help does not need them.
 */
export function HelpLinks() {
  const t = useText();
  const { data } = useApiQuery(getHelpLinks, {}, { staleMs: 60_000 });
  const { language } = useSettings();
  const links = (data?.items ?? []).filter(({ url }) => parseTarget(url) !== null);
  if (links.length === 0) return null;
  const sorted = [...links].sort(
    (a, b) => Number(b.language === language) - Number(a.language === language),
  );
  return (
    <Section title={t("help.links")} note={t("help.links.note")}>
      {sorted.map(({ link_id, kind, title, url, host, language: textLanguage }) => (
        <OutRow
          key={link_id}
          url={url}
          hint={kind === "support" ? `${t("help.links.support")} · ${host}` : host}
        >
          <span lang={localeTags[textLanguage]}>{title}</span>
        </OutRow>
      ))}
    </Section>
  );
}
