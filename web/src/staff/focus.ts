/** Where a step of a dialog begins: whoever uses the keyboard or a screen reader is led there. */

import type { Attachment } from "svelte/attachments";

export const focus: Attachment<HTMLElement> = (element) => element.focus();
