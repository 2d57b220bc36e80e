import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { useFigures } from "#operator/instance/figures.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The latest checkpoint of the public log, who signs it, and who follows it. */
export function LogSection({ view: { log } }: { view: InstanceView }) {
  const t = useText();
  const { count, span, moment } = useFigures();
  return (
    <Section title={t("instance.part.log")} note={t("instance.log.note")}>
      <Row label={t("instance.log.leaves")} value={count(log.leaves)} />
      <Row
        label={t("instance.log.size")}
        value={log.size === null ? t("instance.never") : count(log.size)}
        valueHint={log.checkpoint_at_ms === null ? undefined : moment(log.checkpoint_at_ms)}
      />
      {log.root === null ? null : (
        <Row
          label={t("instance.log.root")}
          value={<Hash value={log.root} label={t("instance.log.root")} />}
        />
      )}
      <Row
        label={t("instance.log.lag")}
        hint={t("instance.log.lagNote")}
        value={span(log.lag_ms)}
      />
      <Row
        label={t("instance.log.witnesses")}
        hint={t("instance.log.witnessesNote")}
        value={count(log.witnesses)}
      />
      <Row
        label={t("instance.log.origin")}
        hint={<span className="break-all">{log.origin}</span>}
      />
      {log.keys.map(({ vkey, from_size: fromSize }) => (
        <Row
          key={vkey}
          label={t("instance.log.key", { size: fromSize })}
          hint={<span className="break-all">{vkey}</span>}
        />
      ))}
    </Section>
  );
}
