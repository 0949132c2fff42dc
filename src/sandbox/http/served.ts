/** What the sandbox serves besides answers: pictures of profiles and groups, status posts, and sample files to send by URL. */
import type { FastifyInstance } from "fastify";
import { refuse } from "../controls/control-body.ts";
import { rowOf } from "../messages/messages.ts";
import type { World } from "../world/world.ts";

/** Virtual milliseconds that a status post stays visible. */
const POST_MS = 86_400_000;

/** A browser that opens one of these must not run it. */
const SAFE_HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Small files of each sort, by extension: what examples and demos send by URL when they have nothing else. */
const SAMPLES: Readonly<Record<string, { readonly mimetype: string; readonly base64: string }>> = {
  png: {
    mimetype: "image/png",
    base64:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  },
  ogg: {
    mimetype: "audio/ogg; codecs=opus",
    base64: "T2dnUwACAAAAAAAAAAAAAAAAAAAAAAAAAAABE09wdXNIZWFkAQE4AYC7AAAAAAA=",
  },
  webp: {
    mimetype: "image/webp",
    base64: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  },
  xlsx: {
    mimetype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    base64: "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
  },
  pdf: {
    mimetype: "application/pdf",
    base64: Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64"),
  },
};

export function addServed(app: FastifyInstance, world: () => World): void {
  app.get<{ Params: { id: string } }>("/sandbox/pictures/:id", (request, reply) => {
    const picture = world().pictures.find(request.params.id);
    if (!picture) return refuse(reply, 404, "There is no such picture.");
    return reply
      .headers({ ...SAFE_HEADERS, "content-type": picture.mimetype })
      .send(Buffer.from(picture.base64, "base64"));
  });
  app.get<{ Params: { name: string } }>("/sandbox/files/:name", (request, reply) => {
    const extension = request.params.name.split(".").at(-1) ?? "";
    const sample = Object.hasOwn(SAMPLES, extension) ? SAMPLES[extension] : undefined;
    if (!sample) return refuse(reply, 404, `Samples are ${Object.keys(SAMPLES).join(", ")}.`);
    return reply
      .headers({ ...SAFE_HEADERS, "content-type": sample.mimetype })
      .send(Buffer.from(sample.base64, "base64"));
  });
  app.get<{ Querystring: { viewer?: string } }>("/sandbox/status", (request) => {
    const { messages, clock, book } = world();
    const { viewer } = request.query;
    const person = viewer === undefined ? undefined : book.personOf(viewer.trim());
    return messages
      .posts(clock.now() - POST_MS)
      .filter((post) => person === undefined || post.audience?.has(person) === true)
      .map((post) => ({
        ...rowOf(post),
        device: post.device,
        viewers: [...(post.audience ?? [])],
      }));
  });
}
