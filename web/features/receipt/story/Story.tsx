import { useText } from "#i18n/useText.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { buildStory } from "#web/features/receipt/story/buildStory.ts";

interface Props {
  detail: ReceiptDetail;
  /** True if the reader is the one whose receipt it is. */
  isOwn: boolean;
}

/** The statement of a receipt that agrees, in three sentences. */
export default function Story({ detail, isOwn }: Props) {
  const t = useText();
  const { id, values } = buildStory(detail);
  return <p className="px-4 pt-4">{t(id, { ...values, own: isOwn ? "yes" : "no" })}</p>;
}
