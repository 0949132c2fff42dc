/**
 * CEP (postal code): 8 digits. Offline we know which federative unit a range belongs to, not whether the street exists.
 */
import { type Uf, UFS } from "./uf.ts";

/** `01310100` → `01310-100`. Text of another length comes back as it is. */
export function formatCep(value: string): string {
  return value.length === 8 ? `${value.slice(0, 5)}-${value.slice(5)}` : value;
}

/** The unit whose range holds the CEP (8 digits, no marks), or null when it is in no known range. */
export function ufOfCep(value: string): Uf | null {
  if (!/^\d{8}$/.test(value)) return null;
  const head = Number(value.slice(0, 5));
  for (const row of UFS)
    for (const [first, last] of row.cep) if (head >= first && head <= last) return row.uf;
  return null;
}
