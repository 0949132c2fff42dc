import { defineBot } from "prosa";
import { invoicing } from "prosa/invoicing";

export default defineBot({ plugins: [invoicing()], languages: ["pt-BR", "en"] });
