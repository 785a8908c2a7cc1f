/** Asking the desk, for the audit menus. */

import { get } from "../asked.ts";

/** Asks the desk; throws what it says where it refuses. */
export async function desk<T>(path: string): Promise<T> {
  const told = await get<T>(path);
  if (!told.ok) throw new Error(told.says);
  return told.value;
}
