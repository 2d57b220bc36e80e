import type { RefObject } from "react";
import { Button } from "#ui/Button.tsx";

export interface JumpToProps {
  target: RefObject<HTMLElement | null>;
  children: string;
}

/** Moves to a later part of a long text, for those who came for that part. */
export function JumpTo({ target, children }: JumpToProps) {
  const jump = () => {
    target.current?.scrollIntoView({ block: "start" });
    target.current?.focus({ preventScroll: true });
  };
  return (
    <p className="px-4 pt-3">
      <Button variant="outline" size="small" onClick={jump}>
        {children}
      </Button>
    </p>
  );
}
