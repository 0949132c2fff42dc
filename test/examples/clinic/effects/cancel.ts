import { effect, z } from "prosa";

/** Gives a booked time back. */
export default effect("clinic.cancel", {
  class: "replace",
  input: z.object({ code: z.string() }),
  output: z.object({ when: z.string() }),
  http: {
    method: "DELETE",
    url: "$CLINIC_URL/visits/{code}",
    headers: { authorization: "Bearer $CLINIC_TOKEN" },
  },
});
