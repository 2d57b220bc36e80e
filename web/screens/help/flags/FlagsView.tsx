import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { formatPartialDate } from "#web/features/binary-warning/partialDate.ts";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { type Flag, flags } from "#web/screens/help/flags/flags.ts";
import { Scene } from "#web/screens/help/flags/Scene.tsx";
import { buildFlagPath, buildPromisePath } from "#web/screens/help/views.ts";

/** `/help?view=red-flags`: all red flags, or with `flag=` one of them. */
export default function FlagsView() {
  const t = useText();
  const [query] = useSearchParams();
  const requestedFlag = query.get("flag");
  const flag = flags.find(({ id }) => id === requestedFlag);
  if (flag) return <FlagSection key={flag.id} flag={flag} />;
  return (
    <>
      {requestedFlag === null ? null : <Empty title={t("safety.flags.unknown")} />}
      <p className="px-4 pt-2 pb-4 text-small text-ink-soft">{t("safety.flags.intro")}</p>
      <div className="hairlines border-y border-line">
        {flags.map(({ id }) => (
          <Row key={id} to={buildFlagPath(id)} label={t(`safety.flag.${id}.title`)} />
        ))}
      </div>
    </>
  );
}

/**
 * One red flag: what it looks like, why it cannot happen here or would show, and who warned of it.
 */
function FlagSection({ flag }: { flag: Flag }) {
  const intl = useIntl();
  const t = useText();
  const { id, source } = flag;
  const next = flags[(flags.indexOf(flag) + 1) % flags.length] as Flag;
  return (
    <article>
      <h2 className="px-4 pt-2 pb-4 text-title font-strong">{t(`safety.flag.${id}.title`)}</h2>
      <div className="px-4">
        <Scene flag={flag} />
      </div>
      <Section title={t("safety.flags.looks")} kind="plain">
        <p>{t(`safety.flag.${id}.looks`)}</p>
      </Section>
      <Section title={t("safety.flags.here")} kind="plain">
        <p>{t(`safety.flag.${id}.why`)}</p>
        <Link
          to={buildPromisePath(flag.promise)}
          className={`${buttonClass({ variant: "outline", block: true })} mt-4`}
        >
          {t("safety.flags.check", { number: flag.promise })}
        </Link>
      </Section>
      <Section title={t("safety.flags.source")} kind="plain">
        <div className="text-small text-ink-soft">
          <p className="text-ink">{source.authority}</p>
          <p className="mt-0.5 break-words">
            <cite className="not-italic">{source.title}</cite>,{" "}
            {formatPartialDate(intl, source.date)}
          </p>
          <p className="mt-2 text-ink-faint">{t("safety.flags.source.note")}</p>
          <OutLink url={source.url}>{new URL(source.url).host}</OutLink>
        </div>
      </Section>
      <div className="mt-6 border-y border-line">
        <Row
          to={buildFlagPath(next.id)}
          label={t("safety.flags.next", { title: t(`safety.flag.${next.id}.title`) })}
        />
      </div>
    </article>
  );
}
