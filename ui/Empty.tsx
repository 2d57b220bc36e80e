import type { ReactNode } from "react";

export interface EmptyProps {
  /** Says what is missing, as a sentence. */
  title: ReactNode;
  /** Says what would fill it. */
  children?: ReactNode;
  /** A line drawing, such as `<DockDrawing />`. */
  drawing?: ReactNode;
  action?: ReactNode;
}

/** The state of a list or screen with nothing in it. */
export function Empty({ title, children, drawing, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center px-8 py-10 text-center">
      {drawing ? <div className="mb-5 text-ink-soft">{drawing}</div> : null}
      <p className="font-strong">{title}</p>
      {children ? <div className="mt-1 max-w-80 text-small text-ink-soft">{children}</div> : null}
      {action ? <div className="mt-5">{action}</div> : null}
    </div>
  );
}
