import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { Page } from "#ui/Page.tsx";
import { Section } from "#ui/Section.tsx";
import { useConfig } from "#web/app/useConfig.ts";
import { WithdrawalStandard } from "#web/app/withdrawal-standard/WithdrawalStandard.tsx";

const promises = [
  "help.promise.1",
  "help.promise.2",
  "help.promise.3",
  "help.promise.4",
  "help.promise.5",
  "help.promise.6",
  "help.promise.7",
  "help.promise.8",
  "help.promise.9",
  "help.promise.10",
] as const;

const strong = (words: ReactNode[]) => (
  <strong key="b" className="font-strong text-ink">
    {words}
  </strong>
);

/** What Drydock promises, how a withdrawal works, what it is not, and who runs this instance. */
export default function HelpPage() {
  const { formatMessage } = useIntl();
  return (
    <Page title={formatMessage({ id: "help.title" })} back="/ucenter" side={<Facts />}>
      <p className="px-4 pt-2 text-ink-soft">{formatMessage({ id: "help.intro" })}</p>
      <Section title={formatMessage({ id: "help.promises.title" })}>
        <ol className="hairlines">
          {promises.map((id, index) => (
            <li key={id} className="flex gap-3 px-4 py-3">
              <span aria-hidden="true" className="w-6 shrink-0 text-right text-ink-faint">
                {index + 1}
              </span>
              <p className="text-small text-ink-soft">{formatMessage({ id }, { b: strong })}</p>
            </li>
          ))}
        </ol>
      </Section>
    </Page>
  );
}

function Facts() {
  const { formatMessage } = useIntl();
  const config = useConfig();
  const operator = config?.operator;
  return (
    <>
      <Section
        title={<span id="withdrawals">{formatMessage({ id: "help.withdraw.title" })}</span>}
        kind="plain"
      >
        <p className="mb-3 text-small text-ink-soft">
          {formatMessage({ id: "help.withdraw.text" })}
        </p>
        <WithdrawalStandard />
      </Section>
      <Text title="help.binary.title" paragraphs={["help.binary.text"]} id="binary-options" />
      <Text
        title="help.not.title"
        paragraphs={["help.not.money", "help.not.advice", "help.not.adults"]}
      />
      <Text title="help.machine.title" paragraphs={["help.machine.text"]} />
      <Section title={formatMessage({ id: "help.operator.title" })} kind="plain">
        <p className="text-small text-ink-soft">
          {operator?.name
            ? formatMessage(
                { id: "help.operator.named" },
                { name: operator.name, contact: operator.contact ?? "" },
              )
            : formatMessage({ id: "help.operator.local" })}
        </p>
      </Section>
    </>
  );
}

function Text({
  title,
  paragraphs,
  id,
}: {
  title: string;
  paragraphs: readonly string[];
  id?: string;
}) {
  const { formatMessage } = useIntl();
  return (
    <Section title={<span id={id}>{formatMessage({ id: title })}</span>} kind="plain">
      <div className="flex flex-col gap-3 text-small text-ink-soft">
        {paragraphs.map((key) => (
          <p key={key}>{formatMessage({ id: key })}</p>
        ))}
      </div>
    </Section>
  );
}
