import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { useFigures } from "#operator/instance/figures.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The head of the public log, by whom it is signed, and who follows it. */
export function LogPart({ view: { log } }: { view: InstanceView }) {
  const { formatMessage } = useIntl();
  const { count, span, moment } = useFigures();
  const text = (id: string) => formatMessage({ id });
  return (
    <Section title={text("instance.part.log")} note={text("instance.log.note")}>
      <Row label={text("instance.log.leaves")} value={count(log.leaves)} />
      <Row
        label={text("instance.log.size")}
        value={log.size === null ? text("instance.never") : count(log.size)}
        valueHint={log.checkpoint_at_ms === null ? undefined : moment(log.checkpoint_at_ms)}
      />
      {log.root === null ? null : (
        <Row
          label={text("instance.log.root")}
          value={<Hash value={log.root} label={text("instance.log.root")} />}
        />
      )}
      <Row
        label={text("instance.log.lag")}
        hint={text("instance.log.lagNote")}
        value={span(log.lag_ms)}
      />
      <Row
        label={text("instance.log.witnesses")}
        hint={text("instance.log.witnessesNote")}
        value={count(log.witnesses)}
      />
      <Row
        label={text("instance.log.origin")}
        hint={<span className="break-all">{log.origin}</span>}
      />
      {log.keys.map(({ vkey, from_size: from }) => (
        <Row
          key={vkey}
          label={formatMessage({ id: "instance.log.key" }, { size: from })}
          hint={<span className="break-all">{vkey}</span>}
        />
      ))}
    </Section>
  );
}
