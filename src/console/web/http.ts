/** Calls to the operator API. A refusal is an {@link ApiProblem} with the server's own sentence. */

export class ApiProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ErrorBody {
  readonly error?: { readonly message?: string };
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
    const told = (data as ErrorBody | undefined)?.error?.message;
    throw new ApiProblem(response.status, told ?? `HTTP ${response.status}`);
  }
  return data as T;
}

export const get = <T>(path: string): Promise<T> => api<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => api<T>("POST", path, body);
