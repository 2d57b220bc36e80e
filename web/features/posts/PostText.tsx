import { type ReactNode, useMemo, useState } from "react";
import { type Block, type Inline, parseMarkdown } from "#core/publishing/markdown.ts";
import { Link } from "#ui/router.tsx";
import { LeaveSheet } from "#web/features/leave-site/LeaveSheet.tsx";

/** The text of a post. External links name their target before they open it. */
export function PostText({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a post are never reordered
        <BlockView key={index} block={block} onLeave={setLeaving} />
      ))}
      <LeaveSheet url={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

type OnLeave = (url: string) => void;

function BlockView({ block, onLeave }: { block: Block; onLeave: OnLeave }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 2 ? "h3" : "h4";
      return (
        <Heading className="mt-6 font-strong text-balance">
          {renderInlines(block.children, onLeave)}
        </Heading>
      );
    }
    case "paragraph":
      return <p className="mt-3">{renderInlines(block.children, onLeave)}</p>;
    case "quote":
      return (
        <blockquote className="mt-3 border-l-2 border-line-strong pl-3.5 text-ink-soft">
          {renderInlines(block.children, onLeave)}
        </blockquote>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List
          className={
            block.ordered
              ? "mt-3 flex list-decimal flex-col gap-1.5 pl-6"
              : "mt-3 flex list-disc flex-col gap-1.5 pl-5"
          }
        >
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>{renderInlines(item, onLeave)}</li>
          ))}
        </List>
      );
    }
    case "rule":
      return <hr className="mt-5 border-line" />;
  }
}

function renderInlines(children: readonly Inline[], onLeave: OnLeave): ReactNode {
  return children.map((child, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <InlineView key={index} inline={child} onLeave={onLeave} />
  ));
}

const linkClass = "text-left text-signal-ink underline underline-offset-2 break-words";

function InlineView({ inline, onLeave }: { inline: Inline; onLeave: OnLeave }) {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return (
        <code className="rounded-[4px] bg-well px-1 text-small break-words">{inline.text}</code>
      );
    case "strong":
      return <strong className="font-strong">{renderInlines(inline.children, onLeave)}</strong>;
    case "em":
      return <em>{renderInlines(inline.children, onLeave)}</em>;
    case "link":
      return inline.to.startsWith("/") ? (
        <Link to={inline.to} className={linkClass}>
          {renderInlines(inline.children, onLeave)}
        </Link>
      ) : (
        <button
          type="button"
          aria-haspopup="dialog"
          className={`inline ${linkClass}`}
          onClick={() => onLeave(inline.to)}
        >
          {renderInlines(inline.children, onLeave)}
        </button>
      );
  }
}
