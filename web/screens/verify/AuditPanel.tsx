import { useState } from "react";
import { getAuditHead } from "#api/routes/transparencyLog.ts";
import type { ChainCheck } from "#core/operator/auditChain.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { client } from "#web/lib/api/client.ts";
import { openFollowedLog, useLogErrorMessage } from "#web/screens/verify/useLog.ts";

/** Leaves read back from the head, about a tenth of a quiet instance's day. */
const readMax = 8_192;

interface CheckedChain {
  check: ChainCheck;
  read: number;
}

async function checkChain(): Promise<CheckedChain | { problem: string }> {
  const [{ checkAuditChain }, { worldTag }, { decodeWorld }] = await Promise.all([
    import("#core/operator/auditChain.ts"),
    import("#core/transparency-log/leaf.ts"),
    import("#core/transparency-log/worldLeaf.ts"),
  ]);
  const { followed } = await openFollowedLog();
  if (!followed.ok) return { problem: followed.error };
  const { view } = followed;
  const { size } = view.checkpoint;
  const { data } = await client.call(getAuditHead, { size });
  const world = decodeWorld((await view.entries([0])).get(0)!);
  if (!world.ok) return { problem: "world_unreadable" };
  const log = { size, entries: (indexes: readonly number[]) => view.entries(indexes) };
  const check = await checkAuditChain(data.head, worldTag(world.value.world), log, readMax);
  return { check, read: Math.min(readMax, size - 1 - (data.head?.leaf ?? 0)) };
}

/** Follows the log for everything that operators did and published, on demand. */
export function AuditPanel() {
  const t = useText();
  const errorMessage = useLogErrorMessage();
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<CheckedChain | { problem: string } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const check = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      setResult(await checkChain());
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Section title={t("verify.audit.title")} kind="plain">
      <p className="text-small text-ink-soft">{t("verify.audit.note")}</p>
      <div className="py-3">
        <Button variant="outline" size="small" busy={isBusy} onClick={() => void check()}>
          {t("verify.audit.do")}
        </Button>
      </div>
      <div aria-live="polite">
        {failure ? <ErrorNote>{errorMessage(failure)}</ErrorNote> : null}
        {result && !failure ? <Result result={result} /> : null}
      </div>
    </Section>
  );
}

function Result({ result }: { result: CheckedChain | { problem: string } }) {
  const t = useText();
  const problem =
    "problem" in result ? result.problem : result.check.ok ? null : result.check.difference;
  if (problem !== null) return <ErrorNote>{t(`receipt.problem.${problem}`)}</ErrorNote>;
  const { check, read } = result as CheckedChain;
  const leaves = check.ok ? check.leaves : [];
  const hiddenLeaves = leaves.filter(
    ({ leaf: { record } }) => record.type === "act" && !record.act,
  );
  return (
    <p className="text-small">
      {t("verify.audit.holds", { count: leaves.length, hidden: hiddenLeaves.length, read })}
    </p>
  );
}
