import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useRef } from "react";

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode }[];
  /** The panel of the chosen tab. */
  children: ReactNode;
}

const swipePx = 50;

/** Tabs over one panel; arrow keys move between them, a sideways swipe of 50 px goes to the neighbour. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: TabsProps<Value>) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const swipe = (x: number, y: number) => {
    const start = from.current;
    from.current = null;
    if (
      !start ||
      Math.abs(x - start.x) < swipePx ||
      Math.abs(x - start.x) < Math.abs(y - start.y) * 1.5
    )
      return;
    const index = tabs.findIndex((tab) => tab.value === value) + (x < start.x ? 1 : -1);
    const next = tabs[index];
    if (next) onChange(next.value);
  };
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List
        aria-label={label}
        className="flex gap-5 overflow-x-auto border-b border-line px-4 [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 shrink-0 border-b-2 border-transparent text-small text-ink-soft transition-colors focus-visible:-outline-offset-2 data-active:border-signal data-active:font-strong data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel
        key={value}
        value={value}
        className="outline-none"
        onTouchStart={(event) => {
          const touch = event.touches[0];
          from.current =
            touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
        }}
        onTouchEnd={(event) => {
          const touch = event.changedTouches[0];
          if (touch) swipe(touch.clientX, touch.clientY);
        }}
      >
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
