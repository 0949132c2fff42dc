/** Company certificates made by OpenSSL, where this machine has it: the forms that exporters of today write. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

export interface OpensslPfx {
  readonly cnpj: string;
  readonly password: string;
  readonly key: "rsa" | "ec";
  /** Further options of `openssl pkcs12 -export`. */
  readonly options?: readonly string[];
}

const CONFIG = (cnpj: string) => `
[req]
distinguished_name = dn
x509_extensions = ext
prompt = no
string_mask = utf8only
[dn]
CN = PADARIA SAO JOAO LTDA
[ext]
basicConstraints = CA:FALSE
subjectAltName = otherName:2.16.76.1.3.2;PRINTABLESTRING:FULANA DE TAL,otherName:2.16.76.1.3.3;OCT:${cnpj}
`;

export function opensslPfx({ cnpj, password, key, options = [] }: OpensslPfx): Buffer {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-pfx-"));
  const file = (name: string) => path.join(folder, name);
  const run = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  try {
    writeFileSync(file("req.cnf"), CONFIG(cnpj));
    const kind = key === "rsa" ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    run(
      ...["req", "-x509", "-nodes", "-days", "365", "-config", file("req.cnf")],
      ...["-newkey", ...kind, "-keyout", file("key.pem"), "-out", file("cert.pem")],
    );
    run(
      ...["pkcs12", "-export", "-inkey", file("key.pem"), "-in", file("cert.pem")],
      ...["-out", file("out.pfx"), "-passout", `pass:${password}`, ...options],
    );
    return readFileSync(file("out.pfx"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
