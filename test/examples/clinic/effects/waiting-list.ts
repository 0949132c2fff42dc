import { effect, z } from "prosa";

/** Puts somebody on the waiting list of a specialty. */
export default effect("clinic.waitlist", {
  class: "replace",
  input: z.object({ specialty: z.string(), name: z.string() }),
  output: z.object({ place: z.number() }),
  http: {
    method: "POST",
    url: "$CLINIC_URL/waiting",
    headers: { authorization: "Bearer $CLINIC_TOKEN" },
  },
});
