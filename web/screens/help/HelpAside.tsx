import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";

/** A disclaimer, and the operator of this instance. */
export function HelpAside() {
  const t = useText();
  const operator = useConfig()?.operator;
  return (
    <>
      <Texts
        title="help.not.title"
        paragraphs={["help.not.money", "help.not.advice", "help.not.adults"]}
      />
      <Texts title="help.machine.title" paragraphs={["help.machine.text"]} />
      <Section title={t("help.operator.title")} kind="plain">
        <p className="text-small break-words text-ink-soft">
          {operator?.name
            ? t("help.operator.named", { name: operator.name, contact: operator.contact ?? "" })
            : t("help.operator.local")}
        </p>
      </Section>
    </>
  );
}

interface TextsProps {
  title: string;
  paragraphs: readonly string[];
}

function Texts({ title, paragraphs }: TextsProps) {
  const t = useText();
  return (
    <Section title={t(title)} kind="plain">
      <div className="flex flex-col gap-3 text-small text-ink-soft">
        {paragraphs.map((key) => (
          <p key={key}>{t(key)}</p>
        ))}
      </div>
    </Section>
  );
}
