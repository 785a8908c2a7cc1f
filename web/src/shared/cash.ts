/** What cash and tickets are. */

/** The bills that there are, in cents. */
export const BILLS_CENTS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** The length of a ticket's number. */
export const TICKET_DIGITS = 18;
