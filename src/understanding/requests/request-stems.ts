/** How the words begin that decide on a request, or take one back, in both languages and without accents. */
export const APPROVING = "aprov|approv|autoriz|liber[ao]";
export const REFUSING = "recus|rejeit|refus|reject|declin";
/** Whole words: "tiraram" and "exclusivo" take nothing back. */
export const WITHDRAWING = String.raw`(?:cancel|desist|apag|retir)\w*|exclu(?:i|ir|a)|tira|tirar|drop|withdraw|delete`;
