import { defineBot } from "prosa";
import { invoicing } from "prosa/invoicing";
import { deliveries } from "./deliveries.ts";

export default defineBot({ plugins: [invoicing(), deliveries()], languages: ["pt-BR", "en"] });
