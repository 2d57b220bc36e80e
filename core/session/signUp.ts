/**
 * Who may make an account: anyone; whoever brings the code of a class link that still lets people
 * in; nobody.
 */
export const signUpStates = ["open", "class_links", "closed"] as const;
export type SignUpState = (typeof signUpStates)[number];
