import { Suspense, useState } from "react";
import type { IdentitySpecimen, RealNameInfo, Verification } from "#api/identity.ts";
import { getRealNameInfo, getSpecimenList } from "#api/routes/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { SpecimenDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { QuestionsToAsk } from "./QuestionsToAsk.tsx";
import { useVerifyForm } from "./useVerifyForm.ts";
import { VerificationCard } from "./VerificationCard.tsx";
import { VerificationList } from "./VerificationList.tsx";
import { VerificationStart } from "./VerificationStart.tsx";

const SpecimenMaker = deferredComponent(() => import("./SpecimenMaker.tsx"));
const DocumentSheet = deferredComponent(() => import("./DocumentSheet.tsx"));
const VerifyForm = deferredComponent(() => import("./VerifyForm.tsx"));

/** Poll interval of a verification under review, in milliseconds. */
const pollMs = 1_000;

/**
 * Real-name verification as an exercise: a fictional identity, its specimen document, the form, the
 * outcome, the purge.
 */
export default function IdentityPage() {
  const t = useText();
  const { status, signIn } = useSession();
  return (
    <Page title={t("identity.title")} back="/ucenter" side={<QuestionsToAsk />}>
      {status === "signed_in" ? (
        <Exercise />
      ) : status === "loading" ? (
        <SkeletonRows />
      ) : (
        <>
          <Intro />
          <Empty
            drawing={<SpecimenDrawing />}
            title={t("identity.signIn")}
            action={<Button onClick={signIn}>{t("identity.signInDo")}</Button>}
          />
        </>
      )}
    </Page>
  );
}

/** Explains the exercise until the person has a verification to look at. */
function Intro() {
  const t = useText();
  return <p className="px-4 pt-1 text-small text-ink-soft">{t("identity.intro")}</p>;
}

function useInfo() {
  const first = useApiQuery(getRealNameInfo, {});
  const isMoving = first.data?.status === "waiting" || first.data?.status === "closing";
  return useApiQuery(getRealNameInfo, {}, isMoving ? { refetchMs: pollMs } : {});
}

function Exercise() {
  const errorMessage = useErrorMessage();
  const info = useInfo();
  const specimens = useApiQuery(getSpecimenList, { page: 1, page_size: 1 });
  const failed = info.isError ? info : specimens.isError ? specimens : null;
  if (failed) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void failed.refetch()}>{errorMessage(failed.error)}</ErrorNote>
      </div>
    );
  }
  if (!info.data || !specimens.data) return <SkeletonRows />;
  return <IdentityTabs info={info.data} specimen={specimens.data.items[0] ?? null} />;
}

type OpenSheet = "workshop" | "document" | null;

function IdentityTabs({
  info,
  specimen,
}: {
  info: RealNameInfo;
  specimen: IdentitySpecimen | null;
}) {
  const form = useVerifyForm();
  const [isFilling, setIsFilling] = useState(false);
  const [open, setOpen] = useState<OpenSheet>(null);
  const [entry, setEntry] = useState<Verification | null>(null);
  const begin = (isFilling: boolean) => {
    setOpen(null);
    setEntry(null);
    setIsFilling(isFilling);
    // The button may have been far down the page.
    window.scrollTo(0, 0);
  };
  const past = entry && entry.verification_id !== info.verification?.verification_id ? entry : null;
  const current = past ?? info.verification;
  return (
    <>
      {isFilling ? (
        <Suspense fallback={<SkeletonRows />}>
          <VerifyForm
            form={form}
            specimen={specimen}
            onLook={() => setOpen("document")}
            onBack={() => begin(false)}
            onSent={() => {
              form.clear();
              begin(false);
            }}
          />
        </Suspense>
      ) : (
        <>
          {current ? (
            <VerificationCard
              key={current.verification_id}
              verification={current}
              person={past ? null : info.person}
            />
          ) : (
            <Intro />
          )}
          <VerificationStart
            specimen={specimen}
            left={info.specimens_left}
            onDraw={() => setOpen("workshop")}
            onShow={() => setOpen("document")}
            onFill={() => begin(true)}
          />
          <VerificationList
            onOpen={(item) => {
              begin(false);
              setEntry(item);
            }}
          />
        </>
      )}
      <Suspense fallback={null}>
        {open === "workshop" ? (
          <SpecimenMaker onDrawn={() => setOpen("document")} onClose={() => setOpen(null)} />
        ) : null}
        {open === "document" && specimen ? (
          <DocumentSheet
            specimen={specimen}
            onFill={isFilling ? undefined : () => begin(true)}
            onClose={() => setOpen(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
