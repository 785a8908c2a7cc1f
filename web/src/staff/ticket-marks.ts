/** How a ticket's status is marked. */

import type { Ticket } from "../wire.ts";

export const TICKET_MARKS: Readonly<Record<Ticket["status"], "" | "good" | "warn" | "bad">> = {
  unknown: "bad",
  good: "good",
  expired: "warn",
  redeemed: "",
  voided: "bad",
  reserved: "warn",
  failed: "bad",
  cancelled: "bad",
  held: "warn",
};
