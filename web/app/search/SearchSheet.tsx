import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useIntl } from "react-intl";
import { getContractList } from "#api/routes/contracts.ts";
import { getTransferRecord } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Link, useNavigate } from "#ui/router.tsx";
import { listSearchEntries, looksLikeId, type SearchEntry } from "#web/app/search/entries.ts";
import { searchOpen } from "#web/app/search/searchOpen.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { extractExcerpt, findEntries } from "#web/screens/help/search/match.ts";
import { getRecordTitle } from "#web/screens/wallet/records/words.ts";

const shownMax = 12;

const close = () => searchOpen.set(false);

/**
 * The search over everything: screens, markets, help, lessons, and the person's own records by id.
 */
export default function SearchSheet({ open }: { open: boolean }) {
  const t = useText();
  return (
    <Sheet open={open} onOpenChange={(next) => searchOpen.set(next)} title={t("wide.search")}>
      {/* A new search each time it opens. */}
      {open ? <Search /> : null}
    </Sheet>
  );
}

function Search() {
  const t = useText();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const searched = useDeferredValue(text.trim());
  const results = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLInputElement>(null);
  // This runs before the sheet would focus its first button.
  useEffect(() => box.current?.focus(), []);
  const searchEntries = useResults(searched);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const first = searchEntries[0];
    if (event.key === "ArrowDown") results.current?.querySelector("a")?.focus();
    else if (event.key === "Enter" && first) {
      close();
      navigate(first.to);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <search className="relative block">
        <IconSearch
          size={18}
          className="pointer-events-none absolute top-1/2 left-3 z-1 -translate-y-1/2 text-ink-faint"
          aria-hidden="true"
        />
        <TextInput
          ref={box}
          type="search"
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          maxLength={120}
          autoComplete="off"
          spellCheck={false}
          aria-label={t("wide.search")}
          className="pl-10"
        />
      </search>
      <output className="block py-2 text-small text-ink-soft">
        {searched === ""
          ? t("wide.search.what")
          : searchEntries.length === 0
            ? t("wide.search.none", { query: searched })
            : t("help.search.count", { count: searchEntries.length })}
      </output>
      {searchEntries.length > 0 ? (
        <ul ref={results} className="hairlines -mx-4 border-y border-line">
          {searchEntries.map((entry) => (
            <li key={`${entry.to} ${entry.title}`}>
              <SearchResults entry={entry} query={searched} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function SearchResults({
  entry: { kind, title, text, to },
  query,
}: {
  entry: SearchEntry;
  query: string;
}) {
  return (
    <Link
      to={to}
      onClick={close}
      onKeyDown={moveFocus}
      className="flex min-h-12 flex-col justify-center px-4 py-1.5 hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
    >
      <span className="break-words">{title}</span>
      <span className="text-small text-ink-faint">
        <span className="font-strong">{kind}</span>
        {text.length > 60 ? ` · ${extractExcerpt(text, query)}` : null}
      </span>
    </Link>
  );
}

/** Arrow keys move through the results. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links: Element[] = [...(event.currentTarget.closest("ul")?.querySelectorAll("a") ?? [])];
  const next = document.activeElement && links[links.indexOf(document.activeElement) + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** The matches. The person's own records come first when the text may be an id. */
function useResults(searched: string): SearchEntry[] {
  const t = useText();
  const markets = useApiQuery(getContractList, { type: "all" }).data?.items;
  const entries = useMemo(() => listSearchEntries(t, markets ?? []), [t, markets]);
  const records = useOwnRecords(searched);
  return [...records, ...findEntries(entries, searched)].slice(0, shownMax);
}

function useOwnRecords(searched: string): SearchEntry[] {
  const t = useText();
  const { formatDate } = useIntl();
  const { status } = useSession();
  const { data } = useApiQuery(
    getTransferRecord,
    { search: searched, page: 1, page_size: 5 },
    { enabled: status === "signed_in" && looksLikeId(searched) },
  );
  return (data?.items ?? []).map((record) => ({
    kind: t("wide.kind.record"),
    title: `${getRecordTitle(record, t)}, ${formatDate(record.at_ms, { dateStyle: "medium", timeStyle: "short" })}`,
    text: "",
    to: `/verify?journal_id=${record.journal_id}`,
  }));
}
