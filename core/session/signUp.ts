/**
 * The people who may create an account: anyone; only people with the code of a class link that
 * still admits; nobody.
 */
export const signUpStates = ["open", "class_links", "closed"] as const;
export type SignUpState = (typeof signUpStates)[number];
