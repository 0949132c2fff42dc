/** The browser of the console's tests: Debian's Chromium, without anything that talks to the outside. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const DESK = { width: 1440, height: 900 };
export const POCKET = { width: 390, height: 844 };

export function openBrowser(): Promise<Browser> {
  const executablePath =
    process.env["CHROMIUM_PATH"] ?? CANDIDATES.find((file) => existsSync(file));
  if (executablePath === undefined)
    throw new Error("The console's tests need Chromium: install it, or set CHROMIUM_PATH.");
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
