import { effect, z } from "prosa";

/** The next free times of a specialty, as the agenda words them. */
export default effect("clinic.free", {
  class: "read",
  input: z.object({ specialty: z.string() }),
  output: z.object({
    rows: z.array(z.object({ id: z.string(), label: z.string() })),
    found: z.enum(["some", "none"]),
  }),
  http: {
    method: "GET",
    url: "$CLINIC_URL/free",
    headers: { authorization: "Bearer $CLINIC_TOKEN" },
  },
});
