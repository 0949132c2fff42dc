/** Labels of the business app, as routes: those every account begins with and those made, put on chats and taken off. */
import { isOnMessenger, jidOfPerson } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { done } from "../http/outcome.ts";
import { engineError, onInstance, onOpenPhone } from "../http/refusals.ts";
import { unknownRecipient } from "../messages/sends.ts";

export const handleLabel = onOpenPhone(({ world, device, call }) => {
  const name = textAt(call.body, "name");
  if (name !== undefined) {
    const made = world.labels.make(device, name);
    return made ? done({ ...made }) : engineError(400, "Label limit reached");
  }
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  const labelId = textAt(call.body, "labelId") ?? "";
  if (!person.includes("@") && !isOnMessenger(person)) return unknownRecipient(person);
  if (!world.labels.all(device).some((label) => label.id === labelId))
    return engineError(404, "Label not found");
  const add = call.body["action"] === "add";
  world.labels.change(device, person, labelId, add);
  const numberJid = jidOfPerson(person);
  return done(add ? { numberJid, labelId, add } : { numberJid, labelId, remove: true });
});

export const findLabels = onInstance(({ world, device }) =>
  done(world.labels.all(device).map((label) => ({ ...label }))),
);
