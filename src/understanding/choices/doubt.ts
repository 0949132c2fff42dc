/** Whether somebody doubts what they write, or says that it is not so. Of plain text (see `plainOf`). */

/** Words of not being sure, whatever it is about. */
export const HEDGE =
  /\b(?:acho|acredito|creio|penso|imagino|suponho|parece|provavelmente|talvez|sera|se nao me engano|salvo engano|se bem me lembro|lembro que|por volta|em torno|la pel[oa]|mais ou menos|ou algo assim|deve (?:ser|ter sido)|devia ser|nao sei|nao tenho certeza|nao sei se|i think|i guess|maybe|probably|about|around)\b/;
const NOT_SO = /\bnao (?:e|eh|era|foi) |\bnot |(?:^|[ ,])nao(?:,|$)/;
/** The number and a question mark, without a word of asking around it: "01310-100?". */
const ASKED = /^(?:(?:cep|cpf|cnpj|o|e|eh|seria)\b[: ]*)*[\d./ -]+\?+$/;

/** For a number that somebody owns (document, CEP): what is doubtful is proposed, never taken. */
export function isDoubtful(line: string): boolean {
  return HEDGE.test(line) || NOT_SO.test(line) || ASKED.test(line);
}
