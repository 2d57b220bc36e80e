import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useState } from "react";
import type { Contract } from "#api/contracts.ts";
import { followContract, getContractDetails, getContractList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** The star: follows a contract optimistically; reverts and says why when the server refuses. */
export function FollowButton({
  contract,
}: {
  contract: Pick<Contract, "contract_id" | "symbol" | "followed">;
}) {
  const t = useText();
  const { status, signIn } = useSession();
  const errorMessage = useErrorMessage();
  const follow = useApiMutation(followContract);
  const [wantsFollow, setWantsFollow] = useState<boolean | null>(null);
  const isFollowed = wantsFollow ?? contract.followed;

  const press = async () => {
    if (status !== "signed_in") {
      signIn();
      return;
    }
    setWantsFollow(!isFollowed);
    try {
      await follow.send({ contract_id: contract.contract_id, follow: !isFollowed });
      await Promise.all([invalidate(getContractList), invalidate(getContractDetails)]);
    } catch (error) {
      toast(errorMessage(error));
    } finally {
      setWantsFollow(null);
    }
  };

  return (
    <IconButton
      label={t("contracts.follow", { symbol: contract.symbol })}
      pressed={isFollowed}
      onClick={() => void press()}
    >
      {isFollowed ? (
        <IconStarFilled size={18} aria-hidden="true" />
      ) : (
        <IconStar size={18} aria-hidden="true" />
      )}
    </IconButton>
  );
}
