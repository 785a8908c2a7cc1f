/** The bills that there are, in cents. */
export const BILLS_CENTS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000];
