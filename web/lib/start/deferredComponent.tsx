import { Component, type ComponentType, type ErrorInfo, type ReactNode } from "react";
import { reportFailure } from "#web/lib/start/errorLog.ts";
import { lazyWithLimit } from "#web/lib/start/lazyComponent.tsx";
import { ChunkError } from "#web/lib/start/loadWithTimeout.ts";
import { NotLoaded } from "#web/lib/start/NotLoaded.tsx";

/**
 * A part that a screen loads later: a sheet, a chart, a form. If its code does not load within 120
 * s, the screen stays with everything typed into it, and a reload is offered over it. The
 * caller's `Suspense` stands in while it loads.
 */
export function deferredComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Part = lazyWithLimit(load);
  return function DeferredPart(props: Props) {
    return (
      <ChunkBoundary>
        <Part {...props} />
      </ChunkBoundary>
    );
  };
}

/** Handles code that did not load; every other error reaches the screen's boundary. */
class ChunkBoundary extends Component<
  { children: ReactNode },
  { failure: unknown; isClosed: boolean }
> {
  override state: { failure: unknown; isClosed: boolean } = { failure: null, isClosed: false };

  static getDerivedStateFromError(failure: unknown): { failure: unknown } {
    return { failure };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    if (error instanceof ChunkError) reportFailure("render", error, info.componentStack ?? "");
  }

  override render(): ReactNode {
    const { failure, isClosed } = this.state;
    if (failure === null) return this.props.children;
    if (!(failure instanceof ChunkError)) throw failure;
    return isClosed ? null : <NotLoaded onClose={() => this.setState({ isClosed: true })} />;
  }
}
