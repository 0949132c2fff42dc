/**
 * Runs `work` for one item after the other. A failure of one does not stop the others; the first failure is thrown at the
 * end.
 */
export async function each<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items)
    await act(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}
