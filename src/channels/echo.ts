/** Hash of the words of a message as they come back in our own echo: white space and stars differ between engines. */
import { hash } from "node:crypto";
import { withoutBold } from "./message/rendering.ts";

/** Only the beginning counts: engines cut long texts at different places. Unit: UTF-16 units. */
const ECHO_LENGTH = 1_000;

/** 128 bits in hex; equal for a text and its echo. */
export function echoHash(text: string): string {
  const plain = withoutBold(text).normalize("NFC").replace(/\s+/g, " ").trim();
  return hash("sha256", plain.slice(0, ECHO_LENGTH)).slice(0, 32);
}
