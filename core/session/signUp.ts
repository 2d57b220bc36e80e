/** Who may create an account: anyone; only people with the code of an open class link; no one. */
export const signUpStates = ["open", "class_links", "closed"] as const;
export type SignUpState = (typeof signUpStates)[number];
