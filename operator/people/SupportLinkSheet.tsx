import { useId, useState } from "react";
import { getPersonAccount, setSupportLink } from "#api/routes/operator/people.ts";
import { getHelpLinks } from "#api/routes/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { ReasonSheet } from "./ReasonSheet.tsx";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  userId: string;
}

/**
 * Sets one of the published support links for a person, or clears it. No other address can be set.
 */
export function SupportLinkSheet({ isOpen, onClose, userId }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(setSupportLink);
  const links = useApiQuery(getHelpLinks, { kind: "support" }, { enabled: isOpen });
  const [choice, setChoice] = useState("");
  const name = useId();
  return (
    <ReasonSheet
      isOpen={isOpen}
      onClose={onClose}
      title={t("people.link")}
      text={t("people.link.text")}
      verb={t("people.link.do")}
      successMessage={t("people.link.done")}
      busy={isBusy}
      error={error}
      run={async (why) => {
        await send({ user_id: userId, link_id: choice === "" ? null : choice, why });
        void invalidate(getPersonAccount);
      }}
    >
      {links.error && !links.data ? (
        <ErrorNote onRetry={() => void links.refetch()} busy={links.isFetching}>
          {errorMessage(links.error)}
        </ErrorNote>
      ) : links.data ? (
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1.5 text-small font-strong">{t("people.link.which")}</legend>
          <Choice
            name={name}
            value=""
            choice={choice}
            onChoose={setChoice}
            label={t("people.link.none")}
          />
          {links.data.items.map((item) => (
            <Choice
              key={item.link_id}
              name={name}
              value={item.link_id}
              choice={choice}
              onChoose={setChoice}
              label={item.title}
              hint={item.host}
            />
          ))}
          {links.data.items.length === 0 ? (
            <p className="text-small text-ink-soft">{t("people.link.nothing")}</p>
          ) : null}
        </fieldset>
      ) : (
        <SkeletonRows count={2} />
      )}
    </ReasonSheet>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  choice: string;
  onChoose: (value: string) => void;
  label: string;
  hint?: string;
}

function Choice({ name, value, choice, onChoose, label, hint }: ChoiceProps) {
  return (
    <label className="relative flex min-h-11 flex-col rounded-dock border border-line px-3.5 py-2.5 transition-colors has-checked:border-ink has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:outline-signal-ink">
      <input
        type="radio"
        name={name}
        checked={value === choice}
        onChange={() => onChoose(value)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="font-strong">{label}</span>
      {hint ? <span className="text-small text-ink-soft">{hint}</span> : null}
    </label>
  );
}
