const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Words as XML takes them, in text and in attributes: its own signs escaped, control characters it does not know a space. */
export function escapeXml(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}/gu, " ")
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}
