/** The thread that reads one certificate. */
import { parentPort, workerData } from "node:worker_threads";
import { readPfx } from "./pfx.ts";

const { file, password } = workerData as { readonly file: Uint8Array; readonly password: string };
parentPort?.postMessage(readPfx(file, password));
