/** The sandbox speaks with this machine only: no address it listens on, posts to or answers leads anywhere else. */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether a text is an http(s) URL of this machine. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname);
}

/** The last `Host` that was found good: nearly always the next one too. */
let lastGood = "";

/** Whether a `Host` header names this machine: a page of another site cannot rebind its name to us. */
export function isLoopbackAuthority(authority: string | undefined): boolean {
  if (authority === undefined) return false;
  if (authority === lastGood) return true;
  if (!isLoopbackUrl(`http://${authority}`)) return false;
  lastGood = authority;
  return true;
}
