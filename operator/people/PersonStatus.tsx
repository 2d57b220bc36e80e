import { useState } from "react";
import { useIntl } from "react-intl";
import type { PersonView } from "#api/operator/people.ts";
import { endPersonSessions, setSuspended } from "#api/routes/operator/people.ts";
import { useMay } from "#operator/app/useOperator.ts";
import { useOperatorSend } from "#operator/app/useOperatorMutation.ts";
import { SupportLinkSheet } from "#operator/people/SupportLinkSheet.tsx";
import { WhySheet } from "#operator/people/WhySheet.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

interface Props {
  person: PersonView;
  onChanged: (person: PersonView) => void;
}

/** How an account stands, and the few things that can be done to it. */
export function Standing({ person, onChanged }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const text = (id: string) => formatMessage({ id });
  const since = formatDate(person.since_ms, { dateStyle: "long" });
  const stopped = person.suspended_at_ms;
  return (
    <>
      <Section title={text("person.standing")}>
        <Row
          label={text("person.id")}
          value={<Hash value={person.user_id} label={text("person.id")} />}
        />
        <Row label={text("person.since")} value={since} />
        <Row label={text("person.sessions")} value={person.sessions} />
        <Row
          label={text("person.positions")}
          hint={
            stopped === null
              ? undefined
              : formatMessage(
                  { id: "person.stopped.since" },
                  { time: formatDate(stopped, { dateStyle: "medium", timeStyle: "short" }) },
                )
          }
          value={
            <Badge tone={stopped === null ? "neutral" : "mind"}>
              {text(stopped === null ? "person.allowed" : "person.stopped")}
            </Badge>
          }
        />
      </Section>
      <Deeds person={person} onChanged={onChanged} />
    </>
  );
}

type Deed = "sessions" | "suspend" | "link";

function Deeds({ person, onChanged }: Props) {
  const { formatMessage } = useIntl();
  const [deed, setDeed] = useState<Deed | null>(null);
  const may = {
    sessions: useMay("people.end_sessions"),
    suspend: useMay("people.suspend"),
    link: useMay("people.support_link"),
  };
  const text = (id: string) => formatMessage({ id });
  const stopped = person.suspended_at_ms !== null;
  const shown: [Deed, string][] = [
    ["sessions", "person.endSessions"],
    ["suspend", stopped ? "person.resume" : "person.suspend"],
    ["link", "person.link"],
  ];
  const close = () => setDeed(null);
  return (
    <div className="flex flex-wrap gap-2 px-4 pt-4">
      {shown.map(([name, label]) =>
        may[name] ? (
          <Button key={name} variant="outline" size="small" onClick={() => setDeed(name)}>
            {text(label)}
          </Button>
        ) : null,
      )}
      <EndSessions
        open={deed === "sessions"}
        onClose={close}
        person={person}
        onChanged={onChanged}
      />
      <Suspend open={deed === "suspend"} onClose={close} person={person} onChanged={onChanged} />
      <SupportLinkSheet open={deed === "link"} onClose={close} userId={person.user_id} />
    </div>
  );
}

interface SheetProps extends Props {
  open: boolean;
  onClose: () => void;
}

function EndSessions({ open, onClose, person, onChanged }: SheetProps) {
  const { formatMessage } = useIntl();
  const { send, busy, error } = useOperatorSend(endPersonSessions);
  const text = (id: string) => formatMessage({ id });
  return (
    <WhySheet
      open={open}
      onClose={onClose}
      title={text("person.endSessions")}
      text={text("person.endSessions.text")}
      verb={text("person.endSessions.do")}
      done={text("person.endSessions.done")}
      danger
      busy={busy}
      error={error}
      run={async (why) => {
        const { data } = await send({ user_id: person.user_id, why });
        onChanged(data.person);
      }}
    />
  );
}

function Suspend({ open, onClose, person, onChanged }: SheetProps) {
  const { formatMessage } = useIntl();
  const { send, busy, error } = useOperatorSend(setSuspended);
  const text = (id: string) => formatMessage({ id });
  // It stays drawn as it was while the sheet closes.
  const [lifts, setLifts] = useState(person.suspended_at_ms !== null);
  const stopped = person.suspended_at_ms !== null;
  if (open && !busy && lifts !== stopped) setLifts(stopped);
  const which = lifts ? "person.resume" : "person.suspend";
  return (
    <WhySheet
      open={open}
      onClose={onClose}
      title={text(which)}
      text={text(`${which}.text`)}
      verb={text(`${which}.do`)}
      done={text(`${which}.done`)}
      danger={!lifts}
      busy={busy}
      error={error}
      run={async (why) => {
        const { data } = await send({ user_id: person.user_id, suspended: !lifts, why });
        onChanged(data.person);
      }}
    />
  );
}
