/** What the tasks of a job wrote, followed while they write. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { send, words } from '../../api/client';
import type { JobDetail } from '../../api/types';
import { count } from '../../format';
import { Empty, Failure, Panel } from '../../parts/parts';

/** What is shown of a long output, from its end. */
const TAIL_BYTES = 128 * 1024;
/** Text that a page keeps while it follows. */
const KEPT_MAX = 512 * 1024;

export function Logs({ detail }: { detail: JobDetail }) {
  const last = detail.attempts.at(-1);
  const [attempt, setAttempt] = useState<number | null>(null);
  const [task, setTask] = useState(0);
  const [isError, setError] = useState(false);
  const chosen = attempt ?? last?.attempt ?? null;
  const isNow = detail.job.state !== 'ended' && chosen === last?.attempt;
  const log = useLog(detail.job.id, chosen, task, isError, isNow);
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log.text]);
  const tasks = last?.places.length ?? 0;
  return (
    <Panel
      title="Output"
      note={log.isFollowing ? 'followed as it is written' : undefined}
      tools={
        chosen !== null && (
          <span class="log-tools">
            <label>
              task{' '}
              <select value={task} onChange={(event) => setTask(Number(event.currentTarget.value))}>
                {Array.from({ length: Math.max(1, tasks) }, (_, index) => (
                  <option key={index} value={index}>
                    {index}
                  </option>
                ))}
              </select>
            </label>
            <label>
              attempt{' '}
              <select
                value={chosen}
                onChange={(event) => setAttempt(Number(event.currentTarget.value))}
              >
                {detail.attempts.map((one) => (
                  <option key={one.attempt} value={one.attempt}>
                    {one.attempt}
                  </option>
                ))}
              </select>
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={isError}
                onChange={(event) => setError(event.currentTarget.checked)}
              />
              errors
            </label>
          </span>
        )
      }
    >
      {chosen === null && <Empty title="It has not started yet" />}
      {log.failure && <Failure lines={log.failure} />}
      {chosen !== null && !log.failure && log.text === '' && (
        <Empty title={log.isFollowing ? 'Nothing written yet' : 'It wrote nothing'} />
      )}
      {log.text !== '' && (
        <pre
          class="log"
          role="log"
          ref={box}
          tabIndex={0}
          aria-label={`Output, ${count(log.text.length)} characters`}
          onScroll={(event) => {
            const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
            isAtEnd.current = scrollTop + clientHeight > scrollHeight - 20;
          }}
        >
          {log.text}
        </pre>
      )}
    </Panel>
  );
}

/** Reads an output from near its end and on, for as long as the task writes. */
function useLog(id: number, attempt: number | null, task: number, error: boolean, follow: boolean) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string[] | null>(null);
  const [isFollowing, setFollowing] = useState(false);
  useEffect(() => {
    setText('');
    setFailure(null);
    if (attempt === null) return;
    const controller = new AbortController();
    const query = new URLSearchParams({
      attempt: String(attempt),
      task: String(task),
      from: String(-TAIL_BYTES),
      follow: String(follow),
      error: String(error),
    });
    const read = async () => {
      const response = await send(`/v1/jobs/${id}/logs?${query}`, { signal: controller.signal });
      setFollowing(follow);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        setText((text) => (text + value).slice(-KEPT_MAX));
      }
    };
    read()
      .catch((problem) => {
        if (!controller.signal.aborted) setFailure(words(problem));
      })
      .finally(() => setFollowing(false));
    return () => controller.abort();
  }, [id, attempt, task, error, follow]);
  return { text, failure, isFollowing };
}
