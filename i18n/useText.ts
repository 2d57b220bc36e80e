import { type ReactNode, useCallback } from "react";
import { type PrimitiveType, useIntl } from "react-intl";

/** The arguments and tags of a message. */
type Values = Record<string, PrimitiveType | ReactNode | ((parts: ReactNode[]) => ReactNode)>;

/**
 * The message `id` in the language on screen: a text, or what a page can draw where a value is
 * drawn itself.
 */
export interface Translate {
  (id: string, values?: Record<string, PrimitiveType | ((parts: string[]) => string)>): string;
  (id: string, values: Values): ReactNode;
}

/**
 * `const t = useText()`. Keys stand in the sources as they are in the catalogues, so that tests
 * find each that is missing.
 */
export function useText(): Translate {
  const { formatMessage } = useIntl();
  return useCallback(
    (id: string, values?: Record<string, PrimitiveType>) => formatMessage({ id }, values),
    [formatMessage],
  ) as Translate;
}

/**
 * For words that a newer server may have more of: the message `id`, or `other` where the catalogue
 * has none.
 */
export function useTextOr(): (id: string, other: string) => string {
  const { messages } = useIntl();
  const t = useText();
  return (id, other) => (Object.hasOwn(messages, id) ? t(id) : other);
}
