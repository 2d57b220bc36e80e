import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { articles } from "#web/screens/help/articles/articles.ts";
import { HelpLinks } from "#web/screens/help/HelpLinks.tsx";
import { buildArticlePath, type ViewName } from "#web/screens/help/views.ts";

const Results = lazyComponent(
  () => import("#web/screens/help/search/Results.tsx"),
  ["help", "safety", "binary-warning", "withdraw", "permissions"],
);

const trust: readonly ViewName[] = ["promises", "withdrawals", "powers"];
const frauds: readonly ViewName[] = ["lesson", "sitting", "thief", "red-flags", "caught", "binary"];

/** Delay until the query is written to the address, so that "back" restores the search. */
const keepMs = 250;

/** The search box, and below it all parts of help, or the results. */
export function HelpIndex() {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  const results = useRef<HTMLDivElement>(null);
  const keptQuery = query.get("q") ?? "";
  // The box is not controlled by the address, which updates too late for an input method composing
  // characters.
  const [text, setText] = useState(keptQuery);
  const [count, setCount] = useState<number | null>(null);
  const searching = text.trim() !== "";
  const keep = () => setQuery(text === "" ? {} : { q: text }, { replace: true });
  const onPause = useEffectEvent(keep);
  useEffect(() => {
    if (text === keptQuery) return;
    const timer = window.setTimeout(() => onPause(), keepMs);
    return () => window.clearTimeout(timer);
  }, [text, keptQuery]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && text !== "") setText("");
    else if (event.key === "ArrowDown" || event.key === "Enter") {
      // A fast reader leaves by the result before the pause.
      if (text !== keptQuery) keep();
      results.current?.querySelector("a")?.focus();
    } else return;
    event.preventDefault();
  };
  const label = t("help.search.label");
  return (
    <>
      <search className="relative block px-4 pt-1 pb-2">
        <IconSearch
          size={18}
          className="pointer-events-none absolute top-1/2 left-7 z-1 -translate-y-1/2 text-ink-faint"
          aria-hidden="true"
        />
        <TextInput
          type="search"
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          maxLength={80}
          autoComplete="off"
          aria-label={label}
          placeholder={label}
          className="pl-10"
        />
      </search>
      {/* Present from the start, so that changes are announced. */}
      <output className="block px-4 text-small text-ink-soft">
        {searching && count !== null ? t("help.search.count", { count }) : null}
      </output>
      <div ref={results} className={searching ? "pt-2" : undefined}>
        {searching ? <Results text={text} onCount={setCount} /> : <Contents />}
      </div>
    </>
  );
}

function Contents() {
  const t = useText();
  return (
    <>
      <p className="px-4 pt-2 text-small text-ink-soft">{t("help.intro")}</p>
      <Section title={t("help.trust")}>
        <Views names={trust} />
      </Section>
      <Section title={t("help.frauds")}>
        <Row to="/home?steps=1" label={t("help.steps")} hint={t("help.steps.hint")} />
        <Views names={frauds} />
      </Section>
      <HelpLinks />
      <Section title={t("help.how")}>
        {articles.map(({ id }) => (
          <Row key={id} to={buildArticlePath(id)} label={t(`help.article.${id}.title`)} />
        ))}
      </Section>
    </>
  );
}

function Views({ names }: { names: readonly ViewName[] }) {
  const t = useText();
  return names.map((name) => (
    <Row
      key={name}
      to={`/help?view=${name}`}
      label={t(`help.view.${name}`)}
      hint={t(`help.view.${name}.hint`)}
    />
  ));
}
