/** Placeholder. */
export async function overload(
  _p: string,
  _s: number,
  _say: (line: string) => void,
): Promise<boolean> {
  return true;
}
