/** People who may create an account: anyone; those with a code of an open class link; no one. */
export const signUpStates = ["open", "class_links", "closed"] as const;
export type SignUpState = (typeof signUpStates)[number];
