/** Path tokens of webhooks: how they are made, found by their digest, and compared. */
import { hash, timingSafeEqual } from "node:crypto";
import type { Account, AccountModel } from "../engine/index.ts";

/** 256 bits: beyond guessing, and short enough for a path. */
const TOKEN_BYTES = 32;

/** A new path token out of `random(bytes)`. */
export function newToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(TOKEN_BYTES)).toString("base64url");
}

/** `use`: the channel, or the name of a plugin's webhook. */
export function tokenKey(use: string, token: string): string {
  return hash("sha256", `${use}\0${token}`, "hex");
}

/** The length of a token is not secret. */
export function sameToken(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function tokensOf(account: Account, model: AccountModel): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { channel, token } of account.channels) keys.set(tokenKey(channel, token), channel);
  for (const [webhook, field] of model.tokens) {
    const token = model.text(account, field);
    if (token) keys.set(tokenKey(webhook, token), webhook);
  }
  return keys;
}
