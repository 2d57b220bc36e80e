import { useEffect } from "react";
import { useIntl } from "react-intl";
import type { PersonRecord, Verification } from "#api/identity.ts";
import {
  getRealNameImage,
  getRealNameInfo,
  getRealNameList,
  getSpecimenList,
  purgeRealName,
} from "#api/routes/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { ReviewTimeline } from "#ui/ReviewTimeline.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { PurgeReceipt } from "./PurgeReceipt.tsx";
import { formatLongDay } from "./words.ts";

export interface VerificationCardProps {
  verification: Verification;
  /** The stored data about the person; null for an older verification, and once it is purged. */
  person: PersonRecord | null;
}

/**
 * One verification: its progress through the review, why it ended as it did, what is stored and for
 * how long.
 */
export function VerificationCard({ verification, person }: VerificationCardProps) {
  const t = useText();
  const isOver = verification.status === "over";
  useEffect(() => {
    // Once over, a surprise specimen reveals its flaw.
    if (isOver) for (const call of [getRealNameList, getSpecimenList]) void invalidate(call);
  }, [isOver]);
  return (
    <>
      <Section kind="plain" title={t("identity.case")}>
        <ReviewTimeline
          status={verification.status}
          passed={verification.outcome === "verified"}
          labels={{
            waiting: t("identity.state.waiting"),
            closing: t("identity.state.closing"),
            over: t(`identity.state.${verification.outcome ?? "over"}`),
          }}
          sentAtMs={verification.sent_at_ms}
          closingAtMs={verification.closing_at_ms}
          overAtMs={verification.over_at_ms}
        />
        {isOver ? <Outcome verification={verification} /> : null}
      </Section>
      {verification.image ? <KeptData verification={verification} person={person} /> : null}
      {verification.receipt ? <PurgeReceipt receipt={verification.receipt} /> : null}
    </>
  );
}

/** The reason in words, and what the person could have noticed. */
function Outcome({ verification }: { verification: Verification }) {
  const intl = useIntl();
  const t = useText();
  const { shown } = verification;
  const name = verification.reason ?? "verified";
  const reasonText = shown
    ? t(`identity.why.${name}`, {
        name: shown.name,
        printName: shown.print_name,
        number: shown.number,
        date: formatLongDay(intl, shown.expires_on),
      })
    : t(`identity.gone.${name}`);
  return (
    <div className="mt-5 flex flex-col gap-3 rounded-dock border border-line bg-leaf p-4 text-small">
      <p className="font-strong">{reasonText}</p>
      <div>
        <h3 className="text-ink-soft">{t("identity.noticed")}</h3>
        <p className="mt-1">{t(`identity.notice.${name}`)}</p>
      </div>
      {verification.outcome === "refused" ? <p>{t("identity.then")}</p> : null}
    </div>
  );
}

/** The data stored until the purge, and a button to purge it immediately. */
function KeptData({ verification, person }: VerificationCardProps) {
  const intl = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const purge = useApiMutation(purgeRealName);
  const { image, verification_id: id } = verification;
  const purgeNow = async () => {
    try {
      await purge.send({ verification_id: id });
      for (const call of [getRealNameInfo, getRealNameList, getSpecimenList]) void invalidate(call);
    } catch {
      // The error is shown below.
    }
  };
  return (
    <Section title={t("identity.person")}>
      {person ? <PersonRows person={person} /> : null}
      {image ? (
        <div className="flex flex-col items-center gap-3 p-4">
          <img
            src={`${getRealNameImage.path}?verification_id=${id}`}
            width={image.width}
            height={image.height}
            alt={t("identity.casePicture")}
            loading="lazy"
            className="h-auto max-h-72 w-auto max-w-full rounded-[6px] border border-line"
          />
        </div>
      ) : null}
      {verification.purge_by_ms === null ? null : (
        <div className="flex flex-col gap-3 px-4 py-3 text-small">
          <p>
            {t("identity.purgeBy", {
              time: intl.formatDate(verification.purge_by_ms, {
                dateStyle: "medium",
                timeStyle: "short",
              }),
            })}
          </p>
          {purge.error ? <ErrorNote>{errorMessage(purge.error)}</ErrorNote> : null}
          <Button
            variant="outline"
            size="small"
            busy={purge.isBusy}
            onClick={() => void purgeNow()}
            className="self-start"
          >
            {t("identity.purgeNow")}
          </Button>
        </div>
      )}
    </Section>
  );
}

function PersonRows({ person }: { person: PersonRecord }) {
  const intl = useIntl();
  const t = useText();
  return (
    <>
      <Row label={t("identity.name")} value={person.name} />
      <Row label={t("identity.sex")} value={person.sex_title} />
      <Row
        label={t("identity.birthday")}
        value={formatLongDay(intl, person.birthday)}
        valueHint={`${t("identity.age")} ${intl.formatNumber(person.age)}`}
      />
      <Row label={t("identity.documentType")} value={t(`identity.type.${person.document_type}`)} />
      <Row label={t("identity.number")} value={person.document_number} />
      <Row label={t("identity.contact")} value={person.contact_number} />
    </>
  );
}
