/** How the words begin that decide on a request, or take one back, in both languages and without accents. */
export const APPROVING = "aprov|approv|autoriz|liber[ao]";
export const REFUSING = "recus|rejeit|refus|reject|declin";
export const WITHDRAWING = "cancel|desist|apag|exclu|retir|tira|drop|withdraw|delete";
