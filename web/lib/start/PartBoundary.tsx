import { Component, type ErrorInfo, type ReactNode } from "react";
import { reportFailure } from "#web/lib/start/errorLog.ts";

interface Props {
  children: ReactNode;
  /** The content shown in place of the part until closed; nothing by default. */
  fallback?: (close: () => void) => ReactNode;
}

/**
 * Error boundary of a part that a screen can do without: the screen stays when the part fails, or
 * when its code does not load.
 */
export class PartBoundary extends Component<Props, { state: "whole" | "failed" | "closed" }> {
  override state: { state: "whole" | "failed" | "closed" } = { state: "whole" };

  static getDerivedStateFromError(): { state: "failed" } {
    return { state: "failed" };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportFailure("render", error, info.componentStack ?? "");
  }

  override render(): ReactNode {
    const { state } = this.state;
    if (state === "whole") return this.props.children;
    if (state === "closed") return null;
    return this.props.fallback?.(() => this.setState({ state: "closed" })) ?? null;
  }
}
