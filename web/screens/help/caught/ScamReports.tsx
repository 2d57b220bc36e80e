import { useRef } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { copyText } from "#ui/copy.ts";
import { Fold } from "#ui/Fold.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { sortByDistance } from "#web/features/binary-warning/gamblingHelp.ts";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { useSettings } from "#web/lib/settings.ts";
import { type Report, reports } from "#web/screens/help/caught/reports.ts";
import { JumpTo } from "#web/screens/help/JumpTo.tsx";

const first = [1, 2, 3, 4, 5, 6].map((number) => `safety.caught.first.${number}`);
const keep = [1, 2, 3, 4, 5, 6, 7].map((number) => `safety.caught.keep.${number}`);

/**
 * Steps for a person caught in a fraud: stop, keep evidence, tell someone, report, and trust
 * no one who offers to "recover" the money.
 */
export default function ScamReports() {
  const t = useText();
  const report = useRef<HTMLDivElement>(null);
  return (
    <>
      <p className="px-4 pt-2">{t("safety.caught.intro")}</p>
      <JumpTo target={report}>{t("safety.caught.report")}</JumpTo>
      <Section title={t("safety.caught.first")} kind="plain">
        <ol className="flex flex-col gap-3">
          {first.map((id, index) => (
            <li key={id} className="flex gap-3">
              <span aria-hidden="true" className="w-4 shrink-0 text-right text-ink-faint">
                {index + 1}
              </span>
              <span>{t(id)}</span>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={t("safety.caught.keep")} note={t("safety.caught.keep.note")} kind="plain">
        <ul className="flex list-disc flex-col gap-1.5 pl-5 text-small text-ink-soft">
          {keep.map((id) => (
            <li key={id}>{t(id)}</li>
          ))}
        </ul>
        <div className="pt-3">
          <CopyList texts={keep.map((id) => t(id))} />
        </div>
      </Section>
      <Section title={t("safety.caught.recovery")} kind="plain">
        <div className="border-l-2 border-warning pl-3">
          <p>{t("safety.caught.recovery.text")}</p>
          <Link
            to="/help?view=red-flags&flag=recovery"
            className={`${buttonClass({ variant: "quiet", size: "small" })} -ml-3.5`}
          >
            {t("safety.flag.recovery.title")}
          </Link>
        </div>
      </Section>
      <div ref={report} tabIndex={-1}>
        <Section
          title={t("safety.caught.report")}
          note={t("safety.caught.report.note")}
          kind="plain"
        >
          <Reports />
        </Section>
      </div>
    </>
  );
}

function CopyList({ texts }: { texts: readonly string[] }) {
  const t = useText();
  const copy = async () => {
    const isCopied = await copyText(texts.map((text) => `[ ] ${text}`).join("\n"));
    toast(t(isCopied ? "ui.copy.done" : "ui.copy.failed"));
  };
  return (
    <Button variant="outline" size="small" onClick={() => void copy()}>
      {t("safety.caught.copied")}
    </Button>
  );
}

/** Countries of the reader's language first, the others collapsed. */
function Reports() {
  const t = useText();
  const { language } = useSettings();
  const { near, far } = sortByDistance(reports, language);
  return (
    <>
      <Countries list={near} />
      <div className="mt-2">
        <Fold label={t("safety.caught.report.far")}>
          <Countries list={far} />
        </Fold>
      </div>
    </>
  );
}

function Countries({ list }: { list: readonly Report[] }) {
  const { formatDisplayName } = useIntl();
  const t = useText();
  const countries = [...new Set(list.map(({ country }) => country))];
  return countries.map((country) => (
    <div key={country} className="pt-3">
      <h3 className="font-strong">{formatDisplayName(country, { type: "region" })}</h3>
      <ul className="hairlines">
        {list
          .filter((report) => report.country === country)
          .map(({ name, kind, phone, url }) => (
            <li key={name} className="py-2">
              <p>{name}</p>
              <p className="text-small text-ink-faint">{t(`safety.report.${kind}`)}</p>
              <div className="flex flex-wrap gap-x-5">
                {phone ? <OutLink url={`tel:${encodeURIComponent(phone)}`}>{phone}</OutLink> : null}
                {url ? <OutLink url={url}>{new URL(url).host}</OutLink> : null}
              </div>
            </li>
          ))}
      </ul>
    </div>
  ));
}
