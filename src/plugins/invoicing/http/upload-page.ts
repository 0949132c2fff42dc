/**
 * The one-time page as HTML: one form, no script, nothing from elsewhere. Its only style stands in it and is allowed by its
 * digest. Values of others are escaped; the code stands in the address alone.
 */
import { hash } from "node:crypto";
import type { UploadPage } from "../certificates/certificates.ts";

type PageLocale = UploadPage["locale"];

/** What became of what was sent, or why it was not taken. */
export type PageNotice = keyof (typeof WORDS)["pt-BR"]["notices"];

/** A page, or that there is none. */
export interface PageFacts extends Partial<Omit<UploadPage, "state" | "locale">> {
  readonly state: UploadPage["state"] | "gone";
  readonly locale: PageLocale;
  readonly notice?: PageNotice;
}

const WORDS = {
  "pt-BR": {
    title: "Certificado digital",
    lead: "Envie o certificado A1 da empresa. O arquivo e a senha servem só para conferir e enviar. Ficam guardados com criptografia até o envio terminar, no máximo 24 horas, e então são apagados.",
    company: "Empresa",
    file: "Arquivo do certificado",
    fileHint: "Termina em .pfx ou .p12",
    password: "Senha do certificado",
    send: "Enviar certificado",
    left: (minutes: number, tries: number) =>
      `Este endereço vale por mais ${minutes} ${minutes === 1 ? "minuto" : "minutos"} e ${tries} ${tries === 1 ? "tentativa" : "tentativas"}.`,
    used: "Certificado recebido",
    usedText: (day: string) =>
      `Está tudo certo com ele, e vale até ${day}. Volte para a conversa: a confirmação chega por lá. Você já pode fechar esta página.`,
    over: "Este endereço não vale mais",
    overText:
      "Por segurança ele dura 10 minutos e serve uma vez só. Na conversa, escreva *certificado* para receber outro.",
    spent: "As tentativas acabaram",
    spentText:
      "Este endereço não recebe mais nada, e nenhum certificado foi enviado. Na conversa, escreva *certificado* para receber outro.",
    gone: "Não há nada aqui",
    goneText:
      "Confira se o endereço está completo. Na conversa, escreva *certificado* para receber um novo.",
    notices: {
      password: "A senha não abre este arquivo. Confira maiúsculas e símbolos.",
      unsupported:
        "Este arquivo usa um formato que não consigo abrir aqui. Não quer dizer que a senha esteja errada. Exporte o certificado de novo, ou peça ajuda a quem emitiu.",
      unsure:
        "O arquivo não abriu: ou a senha é outra, ou ele está num formato que não conheço. Confira a senha.",
      unreadable: "Este arquivo não é um certificado A1. Procure um que termine em .pfx ou .p12.",
      "no-key":
        "Falta a chave dentro do arquivo. Exporte de novo com a opção de incluir a chave privada.",
      person: "Este certificado é de uma pessoa (e-CPF). Preciso do da empresa (e-CNPJ).",
      "no-company":
        "Não encontrei um CNPJ neste certificado. Preciso do certificado da empresa (e-CNPJ).",
      "other-company": "Este certificado é de outra empresa. Confira o CNPJ acima.",
      expired: "Este certificado já venceu.",
      "not-yet": "Este certificado ainda não começou a valer.",
      "too-large":
        "Este arquivo é grande demais para um certificado. Procure um que termine em .pfx ou .p12.",
      "too-slow":
        "Este arquivo usa um formato que demora demais para abrir. Exporte o certificado de novo.",
      busy: "Há muitos envios neste momento; esta tentativa não contou.",
      missing: "Faltou o arquivo ou a senha.",
      origin: "O envio não partiu desta página.",
      failed: "Algo deu errado do nosso lado.",
    },
    again: {
      password: "Tente de novo.",
      unsure: "Tente de novo.",
      expired: "Envie um que esteja valendo.",
      "too-slow": "Depois tente outra vez.",
      busy: "Tente de novo daqui a um minuto.",
      origin: "Tente de novo por aqui.",
      failed: "Tente de novo daqui a pouco.",
    },
  },
  en: {
    title: "Digital certificate",
    lead: "Send the company's A1 certificate. The file and the password are used only to check and to send. They are kept encrypted until they are sent, 24 hours at most, and then erased.",
    company: "Company",
    file: "Certificate file",
    fileHint: "Ends in .pfx or .p12",
    password: "Certificate password",
    send: "Send certificate",
    left: (minutes: number, tries: number) =>
      `This address is good for ${minutes} more ${minutes === 1 ? "minute" : "minutes"} and ${tries} ${tries === 1 ? "try" : "tries"}.`,
    used: "Certificate received",
    usedText: (day: string) =>
      `All is well with it, and it is valid until ${day}. Go back to the chat: the confirmation comes there. You may close this page.`,
    over: "This address is no longer good",
    overText:
      "For safety it lasts 10 minutes and serves once. In the chat, write *certificate* to get another.",
    spent: "No tries are left",
    spentText:
      "This address takes nothing more, and no certificate was sent. In the chat, write *certificate* to get another.",
    gone: "There is nothing here",
    goneText:
      "Check that the address is complete. In the chat, write *certificate* to get a new one.",
    notices: {
      password: "The password does not open this file. Check capitals and symbols.",
      unsupported:
        "This file is in a form that I cannot open here. That does not mean the password is wrong. Export the certificate again, or ask whoever issued it.",
      unsure:
        "The file did not open: either the password is another, or it is in a form I do not know. Check the password.",
      unreadable: "This file is no A1 certificate. Look for one that ends in .pfx or .p12.",
      "no-key": "The key is missing from the file. Export it again and include the private key.",
      person: "This certificate is a person's (e-CPF). I need the company's (e-CNPJ).",
      "no-company": "I found no CNPJ in this certificate. I need the company's (e-CNPJ).",
      "other-company": "This certificate is another company's. Check the CNPJ above.",
      expired: "This certificate has expired.",
      "not-yet": "This certificate is not valid yet.",
      "too-large":
        "This file is too large for a certificate. Look for one that ends in .pfx or .p12.",
      "too-slow":
        "This file is in a form that takes too long to open. Export the certificate again.",
      busy: "Too many files are coming in; this try did not count.",
      missing: "The file or the password is missing.",
      origin: "It was not sent from this page.",
      failed: "Something went wrong on our side.",
    },
    again: {
      password: "Try again.",
      unsure: "Try again.",
      expired: "Send one that is valid.",
      "too-slow": "Then try once more.",
      busy: "Try again in a minute.",
      origin: "Try again from here.",
      failed: "Try again in a little while.",
    },
  },
} as const;

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2430;--paper:#fff;--ground:#eef1f5;--soft:#4a5666;--line:#8592a3;--accent:#0b5cad;--on:#fff;--bad:#a3161b;--bad-paper:#fdecec;--good:#0e6b3a}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf3;--paper:#1a212b;--ground:#10151c;--soft:#b3bfcd;--line:#6c7a8c;--accent:#7db8f5;--on:#0c1420;--bad:#ffb3b1;--bad-paper:#3a1719;--good:#7fd6a4}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;display:flex;justify-content:center}
main{width:100%;max-width:30rem;padding:1.5rem 1.25rem 2rem;background:var(--paper)}
@media (min-width:34rem){main{margin:3rem 1rem;align-self:flex-start;padding:2rem;border-radius:.75rem;border:1px solid var(--line)}}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1rem}
.soft{color:var(--soft)}
.who{border-left:.25rem solid var(--accent);padding-left:.75rem;overflow-wrap:anywhere}
label{display:block;font-weight:600;margin:1.25rem 0 .35rem}
.hint{display:block;font-weight:400;color:var(--soft);font-size:.875rem}
input{width:100%;min-height:2.75rem;padding:.6rem .7rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
button{width:100%;min-height:3rem;margin:1.75rem 0 1rem;padding:.7rem;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:0;border-radius:.5rem;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.bad{background:var(--bad-paper);color:var(--bad);padding:.75rem .9rem;border-radius:.5rem}
.good{color:var(--good)}
`;

/** What the page may do, and nothing else: its own style, its own form. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function uploadPage(facts: PageFacts): string {
  const words = WORDS[facts.locale];
  const body = { open, used, spent, over, gone }[facts.state](facts);
  return `<!doctype html>
<html lang="${facts.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${escaped(words.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function open(facts: PageFacts): string {
  const { locale, company = "", cnpj = "", minutesLeft = 0, triesLeft = 0, notice } = facts;
  const words = WORDS[locale];
  const described = notice ? ' aria-describedby="notice"' : "";
  return `<h1>${escaped(words.title)}</h1>
${notice ? `<p class="bad" id="notice" role="alert">${escaped(retry(locale, notice))}</p>\n` : ""}<p>${escaped(words.lead)}</p>
<p class="who"><span class="soft">${words.company}</span><br><strong>${escaped(company)}</strong><br>${escaped(cnpj)}</p>
<form method="post" enctype="multipart/form-data" autocomplete="off">
<label for="file">${words.file}<span class="hint">${words.fileHint}</span></label>
<input id="file" name="file" type="file" accept=".pfx,.p12,application/x-pkcs12" required${described}>
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" maxlength="128" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button type="submit">${words.send}</button>
</form>
<p class="soft">${escaped(words.left(minutesLeft, triesLeft))}</p>`;
}

/** What was wrong, and that it may be tried again: said only where it may. */
function retry(locale: PageLocale, notice: PageNotice): string {
  const { notices, again } = WORDS[locale];
  const more: Partial<Record<PageNotice, string>> = again;
  return [notices[notice], more[notice]].filter(Boolean).join(" ");
}

function used({ locale, valid = "" }: PageFacts): string {
  const words = WORDS[locale];
  const day = locale === "en" ? valid : valid.split("-").reverse().join("/");
  return `<h1 class="good">✓ ${words.used}</h1>
<p role="status">${escaped(words.usedText(day))}</p>`;
}

function spent({ locale, notice }: PageFacts): string {
  const { spent: title, spentText } = WORDS[locale];
  return ended(title, spentText, locale, notice);
}

function over({ locale, notice }: PageFacts): string {
  const { over: title, overText } = WORDS[locale];
  return ended(title, overText, locale, notice);
}

function ended(title: string, text: string, locale: PageLocale, notice?: PageNotice): string {
  const why = notice
    ? `<p class="bad" role="alert">${escaped(WORDS[locale].notices[notice])}</p>\n`
    : "";
  return `<h1>${title}</h1>\n${why}<p>${bold(text)}</p>`;
}

function gone({ locale }: PageFacts): string {
  const words = WORDS[locale];
  return `<h1>${words.gone}</h1>
<p>${bold(words.goneText)}</p>`;
}

function bold(text: string): string {
  return escaped(text).replace(/\*([^*]+)\*/g, "<strong>$1</strong>");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
