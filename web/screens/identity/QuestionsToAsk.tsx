import { IconChevronDown } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { useWide } from "#ui/useWide.ts";

const questions = ["who", "law", "when", "fee", "keep", "channel", "less"] as const;

/**
 * Questions to ask before giving a real document to any site: beside the form on wide screens,
 * collapsed on narrow ones.
 */
export function QuestionsToAsk() {
  const t = useText();
  const isWide = useWide();
  return (
    <Section kind="plain">
      <details open={isWide} className="group rounded-dock border border-line bg-leaf">
        <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-3 rounded-dock px-4 py-3 font-strong [&::-webkit-details-marker]:hidden">
          <h2>{t("identity.ask")}</h2>
          <IconChevronDown
            size={18}
            aria-hidden="true"
            className="shrink-0 text-signal-ink group-open:rotate-180"
          />
        </summary>
        <div className="px-4 pb-4 text-small">
          <p className="text-ink-soft">{t("identity.askIntro")}</p>
          <dl className="mt-3 flex flex-col gap-3">
            {questions.map((name) => (
              <div key={name}>
                <dt className="font-strong">{t(`identity.ask.${name}`)}</dt>
                <dd className="mt-0.5 text-ink-soft">{t(`identity.ask.${name}.about`)}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-4 border-t border-line pt-3">{t("identity.ask.given")}</p>
        </div>
      </details>
    </Section>
  );
}
