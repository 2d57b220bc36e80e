import { Component, type ErrorInfo, type ReactNode } from "react";
import { FormattedMessage } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { DockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { reportFailure } from "#web/lib/start/errorLog.ts";
import { ChunkError } from "#web/lib/start/loadWithTimeout.ts";

interface State {
  failure: unknown;
}

/**
 * Error boundary: shows a plain sentence and a reload button, and reports to the error log. The
 * frame around it stays usable.
 */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportFailure("render", error, info.componentStack ?? "");
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const chunk = failure instanceof ChunkError;
    return (
      <div role="alert" className="mx-auto max-w-120 pt-16">
        <Empty
          drawing={<DockDrawing />}
          title={<FormattedMessage id={chunk ? "app.chunk.title" : "app.broken.title"} />}
          action={
            <Button onClick={() => window.location.reload()}>
              <FormattedMessage id="app.reload" />
            </Button>
          }
        >
          <FormattedMessage id={chunk ? "app.chunk.text" : "app.broken.text"} />
        </Empty>
      </div>
    );
  }
}
