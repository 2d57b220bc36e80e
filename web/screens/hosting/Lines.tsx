import { type Dot, frameOf, pathOf } from "./lineShape.ts";

export interface Line {
  dots: readonly Dot[];
  /** The pool itself is strong, its benchmark dashed, a claim without friction dotted. */
  look: "strong" | "dashed" | "dotted";
}

const box = [600, 160] as const;
const dashes = { strong: undefined, dashed: "6 4", dotted: "1.5 4" };

/** Thin lines over time in one frame. Decorative: the caller gives the same in words or a table. */
export function Lines({ lines, height }: { lines: readonly Line[]; height: number }) {
  const frame = frameOf(lines.map(({ dots }) => dots));
  return (
    <svg
      viewBox={`0 0 ${box[0]} ${box[1]}`}
      preserveAspectRatio="none"
      className="block w-full overflow-visible"
      style={{ height }}
      aria-hidden="true"
    >
      {frame
        ? lines.map(({ dots, look }) => (
            <path
              key={look}
              d={pathOf(dots, frame, box)}
              fill="none"
              stroke="currentColor"
              strokeWidth={look === "strong" ? 1.75 : 1.25}
              strokeDasharray={dashes[look]}
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
              className={look === "strong" ? "text-ink" : "text-ink-faint"}
            />
          ))
        : null}
    </svg>
  );
}

/** Names each line. */
export function Legend({ items }: { items: readonly { look: Line["look"]; text: string }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-caption text-ink-soft">
      {items.map(({ look, text }) => (
        <li key={look} className="flex items-center gap-1.5">
          <svg viewBox="0 0 20 4" width="20" height="4" aria-hidden="true">
            <path
              d="M0 2h20"
              stroke="currentColor"
              strokeWidth={look === "strong" ? 2 : 1.5}
              strokeDasharray={dashes[look]}
            />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
