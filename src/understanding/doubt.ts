/** Whether somebody doubts the number they write, or says that it is not theirs. */

/** "não é 01310-100", "acho que é 529…": said of the number itself. */
const SAID = /\bnao (?:e|eh|era) |\bacho que\b|\btalvez\b|\bnao sei se\b|\b(?:i think|maybe|not) /;
/** The number and a question mark, without a word of asking around it: "01310-100?". */
const ASKED = /^(?:(?:cep|cpf|cnpj|o|e|eh|seria)\b[: ]*)*[\d./ -]+\?+$/;

/** `line` is plain text (see `plainOf`). What is doubtful is proposed, never taken. */
export function isDoubtful(line: string): boolean {
  return SAID.test(line) || ASKED.test(line);
}
