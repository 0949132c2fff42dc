/** Removes a folder in which a process that was ended, or a write that nobody waits for, may still leave a file. */
import { rm } from "node:fs/promises";

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
