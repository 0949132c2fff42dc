/** Calls to the operator API. A refusal is an {@link ApiProblem} in the console's language, or with the server's own sentence. */
import { type Refusal, sentenceOf } from "./model.ts";
import { told } from "../texts/index.ts";

export class ApiProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ErrorBody {
  readonly error?: Refusal;
}

export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const data: unknown = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) {
    const { error } = (data ?? {}) as ErrorBody;
    throw new ApiProblem(response.status, sentenceOf(told, response.status, error));
  }
  return data as T;
}

export const get = <T>(path: string): Promise<T> => api<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => api<T>("POST", path, body);
