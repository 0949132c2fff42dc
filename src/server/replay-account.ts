/** Which accounts are businesses of chat files: made for one, gone after it. */

const PREFIX = "replay-";

export function isOfReplay(account: string): boolean {
  return account.startsWith(PREFIX);
}

/** `random`: some letters and digits in lower case. */
export function replayAccount(random: string): string {
  return `${PREFIX}${random}`;
}
