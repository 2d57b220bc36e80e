import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode }[];
  /** The panel of the selected tab. */
  children: ReactNode;
}

const swipePx = 50;

/**
 * Tabs over one panel; arrow keys, Home and End move between them, and a horizontal swipe of 50 px
 * goes to the neighbouring tab.
 */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: TabsProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const swipe = useSwipe((step) => {
    const next = tabs[tabs.findIndex((tab) => tab.value === value) + step];
    if (next) onChange(next.value);
  });
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.value === value);
    const to = computeTarget(event.key, index, tabs.length);
    const next = to === null ? undefined : tabs[to];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to as number]?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex gap-5 overflow-x-auto border-b border-line px-4 [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
            className="min-h-11 shrink-0 border-b-2 border-transparent text-small text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-ink aria-selected:font-strong aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} {...swipe}>
        {children}
      </div>
    </div>
  );
}

/**
 * The tab that a key moves to from tab `index` of `count`, wrapping around; null for other keys.
 */
function computeTarget(key: string, index: number, count: number): number | null {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

/** Touch handlers that call `onSwipe` with -1 or 1 after a horizontal swipe. */
function useSwipe(onSwipe: (step: -1 | 1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: React.TouchEvent) => {
      const touch = touches[0];
      from.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: React.TouchEvent) => {
      const start = from.current;
      const touch = changedTouches[0];
      from.current = null;
      if (!start || !touch) return;
      const distancePx = touch.clientX - start.x;
      if (Math.abs(distancePx) < swipePx) return;
      if (Math.abs(distancePx) > 1.5 * Math.abs(touch.clientY - start.y))
        onSwipe(distancePx < 0 ? 1 : -1);
    },
  };
}
