/** Where a step of a dialog begins: users of the keyboard or a screen reader are led there. */

import type { Attachment } from "svelte/attachments";

export const focus: Attachment<HTMLElement> = (element) => element.focus();
