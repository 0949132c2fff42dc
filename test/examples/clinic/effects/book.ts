import { effect, z } from "prosa";

/** Books a free time. The agenda knows the key of a call: it may be told twice. */
export default effect("clinic.book", {
  class: "replace",
  input: z.object({
    time: z.string(),
    name: z.string(),
    document: z.string(),
    visit: z.string().optional(),
  }),
  output: z.object({ code: z.string(), when: z.string() }),
  http: {
    method: "POST",
    url: "$CLINIC_URL/visits",
    headers: { authorization: "Bearer $CLINIC_TOKEN" },
  },
});
