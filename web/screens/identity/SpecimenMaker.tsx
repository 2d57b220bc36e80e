import { useState } from "react";
import { useIntl } from "react-intl";
import { drawIdentity, getRealNameInfo, getSpecimenList } from "#api/routes/identity.ts";
import { type ContactCountry, contactCountries } from "#core/identity/contact.ts";
import {
  type DocumentType,
  documentTypes,
  type IssuingState,
  issuingStates,
  stateFacts,
} from "#core/identity/documents.ts";
import { type SpecimenKind, specimenKinds } from "#core/identity/specimen.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

export interface SpecimenMakerProps {
  /** Called once the list is refetched, with the new identity first in it. */
  onDrawn: () => void;
  onClose: () => void;
}

type Kind = SpecimenKind | "surprise";

/**
 * Orders a fictional identity: document, state, country of the number, and what is wrong with it.
 */
export default function SpecimenMaker({ onDrawn, onClose }: SpecimenMakerProps) {
  const intl = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const [type, setType] = useState<DocumentType>("passport");
  const [state, setState] = useState<IssuingState>(() =>
    /^(zh|ja)/.test(intl.locale) ? "qinglan" : "velmark",
  );
  const [country, setCountry] = useState<ContactCountry>(() => getHome(intl.locale));
  const [kind, setKind] = useState<Kind>("verified");
  const draw = useApiMutation(drawIdentity);
  const make = async () => {
    try {
      const params = kind === "surprise" ? {} : { kind };
      await draw.send({ document_type: type, state, country, ...params });
      await Promise.all([invalidate(getSpecimenList), invalidate(getRealNameInfo)]);
      onDrawn();
    } catch {
      // The error is shown below.
    }
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("identity.workshop")}
      description={t("identity.workshopAbout")}
      actions={
        <Button block busy={draw.isBusy} onClick={() => void make()}>
          {t("identity.draw")}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Chips
          title={t("identity.documentType")}
          options={documentTypes}
          value={type}
          onChange={setType}
          nameOf={(type) => t(`identity.type.${type}`)}
        />
        <Chips
          title={t("identity.workshopState")}
          options={issuingStates}
          value={state}
          onChange={setState}
          nameOf={(stateName) => stateFacts[stateName].title}
        />
        <Chips
          title={t("identity.workshopCountry")}
          note={t("identity.workshopCountryAbout")}
          options={contactCountries}
          value={country}
          onChange={setCountry}
          nameOf={(country) => intl.formatDisplayName(country, { type: "region" }) ?? country}
        />
        <Kinds value={kind} onChange={setKind} />
        {draw.error ? <ErrorNote>{errorMessage(draw.error)}</ErrorNote> : null}
      </div>
    </Sheet>
  );
}

/** The country whose numbers are preselected for a locale. */
function getHome(locale: string): ContactCountry {
  const homes: Record<string, ContactCountry> = { fr: "FR", de: "DE", sv: "SE" };
  return homes[locale.slice(0, 2)] ?? "GB";
}

interface ChipsProps<Value extends string> {
  title: string;
  note?: string;
  options: readonly Value[];
  value: Value;
  onChange: (value: Value) => void;
  nameOf: (value: Value) => string;
}

function Chips<Value extends string>(props: ChipsProps<Value>) {
  const { title, note, options, value, onChange, nameOf } = props;
  return (
    <fieldset>
      <legend className="pb-1.5 text-small font-strong">{title}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <Chip key={option} selected={option === value} onClick={() => onChange(option)}>
            {nameOf(option)}
          </Chip>
        ))}
      </div>
      {note ? <p className="mt-2 text-caption text-ink-faint">{note}</p> : null}
    </fieldset>
  );
}

function Kinds({ value, onChange }: { value: Kind; onChange: (kind: Kind) => void }) {
  const t = useText();
  return (
    <fieldset className="hairlines -mx-4 border-b border-line">
      <legend className="px-4 pb-2 text-small font-strong">{t("identity.workshopKind")}</legend>
      {(["surprise", ...specimenKinds] as const).map((kind) => (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- text is two spans deep
        <label
          key={kind}
          className="flex min-h-14 items-center gap-3 px-4 py-2.5 has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal-ink"
        >
          <input
            type="radio"
            name="specimen-kind"
            checked={kind === value}
            onChange={() => onChange(kind)}
            className="size-5 shrink-0 outline-none"
          />
          <span className="flex min-w-0 flex-col">
            <span>{t(`identity.kind.${kind}`)}</span>
            <span className="text-small text-ink-faint">{t(`identity.kindAbout.${kind}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
