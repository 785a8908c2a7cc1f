/** What cash and tickets are. */

/** The bills that staff can add by one touch, in cents. */
export const BILLS_CENTS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** The length of a ticket's number, as in `floor/tickets`. */
export const TICKET_DIGITS = 18;
