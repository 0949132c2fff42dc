/** What the bot remembers of the selected person: where they are, what they answered, what is due. */
import type { JSX } from "preact";
import { forgetSession, moveClockTo } from "../data/actions.ts";
import { Icon } from "../icons.tsx";
import type { LiveFrame, SessionLive } from "../data/model.ts";
import { Empty, SureButton } from "../pieces.tsx";
import { now, person, sandbox, session } from "../data/store.ts";
import { t, told, span } from "../texts/index.ts";

function Answers({ frame }: { frame: LiveFrame }): JSX.Element {
  return (
    <section class="card">
      <h3>
        {t("session.answers")} <span class="muted">· {frame.title}</span>
      </h3>
      {frame.summary.length === 0 ? (
        <p class="muted">{t("session.noAnswers")}</p>
      ) : (
        <dl class="answers">
          {frame.summary.map((row) => (
            <div key={row.slot}>
              <dt>{row.label}</dt>
              <dd>{row.echo}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Timers({ frames }: { frames: readonly LiveFrame[] }): JSX.Element {
  const timers = frames
    .flatMap((frame) =>
      frame.timers.map((timer) => ({ ...timer, key: `${frame.id} ${timer.name}` })),
    )
    .sort((a, b) => a.due - b.due);
  return (
    <section class="card">
      <h3>{t("session.timers")}</h3>
      {timers.length === 0 ? (
        <p class="muted">{t("session.noTimers")}</p>
      ) : (
        <ul class="timers">
          {timers.map((timer) => (
            <li key={timer.key}>
              <Icon name="clock" size={16} />
              <span class="timer">
                <span>{told(`timer.${timer.name}`, timer.name)}</span>
                <span class="timer-due">
                  {timer.due > now.value
                    ? t("session.due", { time: span(timer.due - now.value) })
                    : t("session.overdue")}
                </span>
              </span>
              {sandbox.value && (
                <button type="button" class="link" onClick={() => void moveClockTo(timer.due)}>
                  {t("session.fire")}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Path({ live }: { live: SessionLive }): JSX.Element {
  return (
    <section class="card">
      <h3>{t("session.path")}</h3>
      {live.frames.length === 0 ? (
        <p class="muted">{t("session.idle")}</p>
      ) : (
        <ol class="frames">
          {live.frames.map((frame, at) => (
            <li key={frame.id} class={at === live.frames.length - 1 ? "top" : ""}>
              <span class="frame-title">{frame.title}</span>
              {frame.step !== undefined && <code>{frame.step}</code>}
            </li>
          ))}
        </ol>
      )}
      {live.handoff && (
        <p class="strip warn">
          <Icon name="user" size={16} />
          {t("chat.human")}
        </p>
      )}
    </section>
  );
}

function Requests({ live }: { live: SessionLive }): JSX.Element | null {
  if (live.requests.length === 0) return null;
  return (
    <section class="card">
      <h3>{t("session.requests")}</h3>
      <ul class="requests">
        {live.requests.map((request) => (
          <li key={request.id}>
            {request.code !== undefined && <code class="code">{request.code}</code>}
            <span>{request.flow}</span>
            {request.from !== undefined && (
              <span class="muted">{t("session.from", { name: request.from })}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function SessionPanel(): JSX.Element {
  const live = session.value;
  if (!live)
    return (
      <Empty icon="session" title={t("session.none.title")}>
        <p>{t("session.none.body", { name: person.value.name })}</p>
      </Empty>
    );
  return (
    <div class="stack">
      <Path live={live} />
      <Requests live={live} />
      {[...live.frames]
        .reverse()
        .filter((frame, at) => at === 0 || frame.summary.length > 0)
        .map((frame) => (
          <Answers key={frame.id} frame={frame} />
        ))}
      <Timers frames={live.frames} />
      <div class="row end">
        <SureButton
          icon="trash"
          label={t("session.forget")}
          sure={t("session.forget.sure")}
          act={() => void forgetSession()}
        />
      </div>
    </div>
  );
}
