import { useState } from "react";
import { useIntl } from "react-intl";
import type { PersonView } from "#api/operator/people.ts";
import { endPersonSessions, setSuspended } from "#api/routes/operator/people.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { SupportLinkSheet } from "#operator/people/SupportLinkSheet.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { ReasonSheet } from "./ReasonSheet.tsx";

interface Props {
  person: PersonView;
  onChanged: (person: PersonView) => void;
}

/** The state of an account, and the few actions on it. */
export function PersonStatus({ person, onChanged }: Props) {
  const { formatDate } = useIntl();
  const t = useText();
  const since = formatDate(person.since_ms, { dateStyle: "long" });
  const stopped = person.suspended_at_ms;
  return (
    <>
      <Section title={t("people.standing")}>
        <Row
          label={t("people.id")}
          value={<Hash value={person.user_id} label={t("people.id")} />}
        />
        <Row label={t("people.since")} value={since} />
        <Row label={t("people.sessions")} value={person.sessions} />
        <Row
          label={t("people.positions")}
          hint={
            stopped === null
              ? undefined
              : t("people.stopped.since", {
                  time: formatDate(stopped, { dateStyle: "medium", timeStyle: "short" }),
                })
          }
          value={
            <Badge tone={stopped === null ? "neutral" : "warning"}>
              {t(stopped === null ? "people.allowed" : "people.stopped")}
            </Badge>
          }
        />
      </Section>
      <PersonActions person={person} onChanged={onChanged} />
    </>
  );
}

type PersonAction = "sessions" | "suspend" | "link";

function PersonActions({ person, onChanged }: Props) {
  const t = useText();
  const [action, setAction] = useState<PersonAction | null>(null);
  const may = {
    sessions: useMayChange("people.end_sessions"),
    suspend: useMayChange("people.suspend"),
    link: useMayChange("people.support_link"),
  };
  const stopped = person.suspended_at_ms !== null;
  const actions: [PersonAction, string][] = [
    ["sessions", "people.endSessions"],
    ["suspend", stopped ? "people.resume" : "people.suspend"],
    ["link", "people.link"],
  ];
  const close = () => setAction(null);
  return (
    <div className="flex flex-wrap gap-2 px-4 pt-4">
      {actions.map(([name, label]) =>
        may[name] ? (
          <Button key={name} variant="outline" size="small" onClick={() => setAction(name)}>
            {t(label)}
          </Button>
        ) : null,
      )}
      <EndSessions
        isOpen={action === "sessions"}
        onClose={close}
        person={person}
        onChanged={onChanged}
      />
      <Suspend
        isOpen={action === "suspend"}
        onClose={close}
        person={person}
        onChanged={onChanged}
      />
      <SupportLinkSheet isOpen={action === "link"} onClose={close} userId={person.user_id} />
    </div>
  );
}

interface SheetProps extends Props {
  isOpen: boolean;
  onClose: () => void;
}

function EndSessions({ isOpen, onClose, person, onChanged }: SheetProps) {
  const t = useText();
  const { send, isBusy: busy, error } = useOperatorMutation(endPersonSessions);
  return (
    <ReasonSheet
      isOpen={isOpen}
      onClose={onClose}
      title={t("people.endSessions")}
      text={t("people.endSessions.text")}
      verb={t("people.endSessions.do")}
      successMessage={t("people.endSessions.done")}
      isDangerous
      busy={busy}
      error={error}
      run={async (why) => {
        const { data } = await send({ user_id: person.user_id, why });
        onChanged(data.person);
      }}
    />
  );
}

function Suspend({ isOpen, onClose, person, onChanged }: SheetProps) {
  const t = useText();
  const { send, isBusy, error } = useOperatorMutation(setSuspended);
  // Keeps its content while the sheet closes.
  const [lifts, setLifts] = useState(person.suspended_at_ms !== null);
  const stopped = person.suspended_at_ms !== null;
  if (isOpen && !isBusy && lifts !== stopped) setLifts(stopped);
  const messagePrefix = lifts ? "people.resume" : "people.suspend";
  return (
    <ReasonSheet
      isOpen={isOpen}
      onClose={onClose}
      title={t(messagePrefix)}
      text={t(`${messagePrefix}.text`)}
      verb={t(`${messagePrefix}.do`)}
      successMessage={t(`${messagePrefix}.done`)}
      isDangerous={!lifts}
      busy={isBusy}
      error={error}
      run={async (why) => {
        const { data } = await send({ user_id: person.user_id, suspended: !lifts, why });
        onChanged(data.person);
      }}
    />
  );
}
