import type { ReactNode } from "react";
import { Page } from "#ui/Page.tsx";

/**
 * Creates the layout of a screen that shows one receipt, with its steps beside it where there is
 * room.
 */
export function createReceiptLayout(title: string, backPath: string) {
  return (body: ReactNode, steps?: ReactNode, after?: ReactNode) => (
    <Page
      title={title}
      back={backPath}
      side={
        steps ? (
          <>
            {steps}
            <div className="wide:hidden">{after}</div>
          </>
        ) : undefined
      }
    >
      {body}
      <div className={steps ? "hidden wide:block" : undefined}>{after}</div>
    </Page>
  );
}
