import { useEffect, useState } from "react";
import { findClassCode, getClassTasks } from "#api/routes/classes.ts";
import { parseClassCode } from "#core/invites/code.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { useLocation, useNavigate } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { EnterCode } from "#web/screens/classes/EnterCode.tsx";
import { JoinView } from "#web/screens/classes/JoinView.tsx";
import { markJoined } from "#web/screens/classes/joining.ts";
import { TaskList } from "#web/screens/classes/TaskList.tsx";
import { UsedCode } from "#web/screens/classes/UsedCode.tsx";

/**
 * `/class`: joins a class with the code of a slip, which its QR code brings as `#…` so that no
 * server sees it in an address; afterwards the tasks of the class.
 */
export default function ClassPage() {
  const t = useText();
  return (
    <Page title={t("class-room.title")} back="/home">
      <ClassContent />
    </Page>
  );
}

function ClassContent() {
  const errorMessage = useErrorMessage();
  const { status, user } = useSession();
  const [code, setCode] = useScannedCode();
  const result = useApiQuery(getClassTasks, {}, { enabled: user !== null, refetchMs: 10_000 });
  const lookup = useApiQuery(
    findClassCode,
    { code: code ?? "" },
    { enabled: code !== null, staleMs: 0 },
  );
  const ownClass = user === null ? null : (result.data?.class ?? null);
  const isJoined = ownClass !== null;
  useEffect(() => {
    if (isJoined) markJoined();
  }, [isJoined]);
  if (status === "loading" || (user && !result.data && !result.error)) return <SkeletonRows />;
  if (result.error && !result.data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void result.refetch()} busy={result.isFetching}>
          {errorMessage(result.error)}
        </ErrorNote>
      </div>
    );
  }
  if (ownClass && code === null) return <TaskList ownClass={ownClass} />;
  const restart = () => setCode(null);
  if (code === null || !lookup.data) {
    return (
      <EnterCode
        key={code}
        code={code}
        busy={lookup.isFetching}
        error={lookup.error}
        onCode={(next) => (next === code ? void lookup.refetch() : setCode(next))}
      />
    );
  }
  const codeState = { ...lookup.data, code };
  return codeState.used ? (
    <UsedCode classCode={codeState} onDone={restart} onOther={restart} />
  ) : (
    <JoinView classCode={codeState} isSignedIn={user !== null} onDone={restart} onOther={restart} />
  );
}

/** The code of a slip, typed or from the address, which then drops it immediately. */
function useScannedCode() {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const [code, setCode] = useState<string | null>(null);
  const [readHash, setReadHash] = useState("");
  if (hash !== readHash) {
    setReadHash(hash);
    if (hash !== "") setCode(parseClassCode(hash.slice(1)));
  }
  useEffect(() => {
    if (hash !== "") navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return [code, setCode] as const;
}
