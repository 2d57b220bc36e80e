import { IconUserCircle } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { UserInfo } from "#api/session.ts";
import { getWalletList } from "#api/wallet.ts";
import { Amount } from "#ui/Amount.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { BackupStep } from "#web/app/session/BackupStep.tsx";
import { isBackedUp, keptSeed } from "#web/app/session/practice/keep.ts";
import { endSession } from "#web/app/session/sessionCache.ts";
import { usedWallet } from "#web/app/session/walletMemory.ts";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";

const ends = (text: string, head: number, tail: number) =>
  `${text.slice(0, head)}…${text.slice(-tail)}`;

/** Who is signed in, and with what. A practice wallet's address is not shown. */
export function Identity({ user }: { user: UserInfo }) {
  const { formatMessage } = useIntl();
  const browser = usedWallet()?.kind === "browser";
  return (
    <div className="flex items-center gap-3 px-4 py-3">
      <IconUserCircle size={40} stroke={1.25} className="text-ink-soft" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-strong">
          {formatMessage({ id: "ucenter.user" }, { id: ends(user.user_id, 8, 4) })}
        </p>
        <p className="text-small text-ink-soft">
          {browser
            ? formatMessage({ id: "ucenter.with.browser" }, { address: ends(user.address, 6, 4) })
            : formatMessage({ id: "ucenter.with.practice" })}
        </p>
      </div>
    </div>
  );
}

export function BalanceSummary() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, refetch, isFetching } = useCall(getWalletList, {});
  return (
    <Section>
      {error && !data ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
            {sentence(error)}
          </ErrorNote>
        </div>
      ) : (
        <Row
          to="/wallet"
          label={formatMessage({ id: "ucenter.balance" })}
          hint={formatMessage({ id: "ucenter.balance.hint" })}
          value={
            data ? (
              data.total === null ? (
                formatMessage({ id: "ucenter.balance.unpriced" })
              ) : (
                <Amount value={data.total} coin={data.display_currency} className="font-strong" />
              )
            ) : (
              <Skeleton width="6rem" />
            )
          }
        />
      )}
      <Row
        to="/wallet?do=attempts"
        label={formatMessage({ id: "ucenter.attempts" })}
        hint={formatMessage({ id: "ucenter.attempts.hint" })}
      />
    </Section>
  );
}

/** The backup of the practice wallet, for who has one in this browser. */
export function BackupRow() {
  const { formatMessage } = useIntl();
  const [open, setOpen] = useState(false);
  const seed = keptSeed();
  if (!seed || usedWallet()?.kind === "browser") return null;
  return (
    <>
      <Row
        label={formatMessage({ id: "signin.backup.do" })}
        hint={isBackedUp() ? undefined : formatMessage({ id: "ucenter.backup.missing" })}
        onClick={() => setOpen(true)}
      />
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={formatMessage({ id: "signin.title.backup" })}
      >
        <BackupStep seed={seed} onDone={() => setOpen(false)} />
      </Sheet>
    </>
  );
}

export function SignOut() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      toast(await endSession());
    } catch (failure) {
      toast(sentence(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="px-4 pt-8">
      <Button block variant="outline" busy={busy} onClick={() => void leave()}>
        {formatMessage({ id: "ucenter.signOut" })}
      </Button>
      <p className="mt-2 text-center text-small text-ink-faint">
        {formatMessage({ id: "ucenter.signOut.keeps" })}
      </p>
    </div>
  );
}
