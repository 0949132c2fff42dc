/** Learns one net from the lessons it is sent, tells how unlikely what is right is after each round, and sends the net. */
import { fitNet, type Lesson, SCHOOL } from "./fit-net.ts";

process.once("message", (lessons: readonly Lesson[]) => {
  const net = fitNet(lessons, SCHOOL, (loss) => process.send?.(loss));
  process.send?.(net, () => {
    process.disconnect();
  });
});
