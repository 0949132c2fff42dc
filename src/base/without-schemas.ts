/**
 * What a listener of ours gives its framework in place of compilers for JSON schemas. Bodies are checked by zod, so none of
 * its schemas is ever used; loading its own compilers would be a twentieth of a start.
 */
const none = (): never => {
  throw new Error("A route must have no schema of the framework: zod checks what comes in.");
};

/** Option `schemaController`. A route that has a schema all the same stops the start. */
export const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: none, buildSerializer: none },
};
