/**
 * One after the other, each its own trouble: what fails keeps none of those behind it from their turn. The first failure is thrown
 * when all had theirs.
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
