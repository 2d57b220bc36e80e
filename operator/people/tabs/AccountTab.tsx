import { useIntl } from "react-intl";
import { getPersonAccount } from "#api/routes/operator/people.ts";
import { isLocale } from "#core/locales.ts";
import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Sessions and settings: only the result of the verification, the support link, the language. */
export function AccountTab({ viewingId }: { viewingId: string }) {
  const { formatDate } = useIntl();
  const t = useText();
  const query = useApiQuery(getPersonAccount, {
    viewing_id: viewingId,
  });
  const { data, error } = query;
  const time = (atMs: number) => formatDate(atMs, { dateStyle: "medium", timeStyle: "short" });
  if (error && !data) return <QueryError query={query} />;
  if (!data) return <SkeletonRows />;
  const { identity, language } = data;
  return (
    <>
      <Section title={t("people.settings")}>
        <Row
          label={t("people.identity")}
          value={t(`people.identity.${identity.outcome ?? identity.status}`)}
        />
        <Row
          label={t("people.terms")}
          value={t(data.terms_accepted ? "people.terms.yes" : "people.terms.no")}
        />
        <Row
          label={t("people.link")}
          value={data.support_url ?? t("people.link.none")}
          className="break-all"
        />
        <Row
          label={t("console.language")}
          value={isLocale(language) ? localeNames[language] : language}
        />
      </Section>
      <Section title={t("people.sessions")}>
        {data.sessions.length === 0 ? <Empty title={t("people.none.sessions")} /> : null}
        {data.sessions.map((session) => (
          <Row
            key={`${session.created_at_ms} ${session.client}`}
            label={session.client || t("people.session.unknown")}
            hint={t("people.session.since", {
              since: time(session.created_at_ms),
              seen: time(session.last_seen_at_ms),
            })}
          />
        ))}
      </Section>
    </>
  );
}
