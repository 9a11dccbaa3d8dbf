/** Each try at running a job: when, how it ended, and what it cost. */
import type { JobDetail, JobUsage } from '../../api/types';
import { gpuHours, millis, percent, span } from '../../format';
import { Panel, When } from '../../parts/parts';

type Props = { detail: JobDetail; usage: JobUsage | null; now: number };

export function Attempts({ detail, usage, now }: Props) {
  if (detail.attempts.length === 0) return null;
  return (
    <Panel title="Attempts">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th class="right">attempt</th>
              <th>launched</th>
              <th class="right">ran</th>
              <th>ended</th>
              <th class="right">GPU-hours</th>
              <th class="right">active</th>
              <th>because</th>
            </tr>
          </thead>
          <tbody>
            {[...detail.attempts].reverse().map((attempt) => {
              const used = usage?.attempts.find((one) => one.attempt === attempt.attempt)?.funnel;
              const end = attempt.ended ? millis(attempt.ended) : now;
              return (
                <tr key={attempt.attempt}>
                  <td class="right">{attempt.attempt}</td>
                  <td>
                    <When at={attempt.launched} now={now} />
                  </td>
                  <td class="right">
                    {attempt.started ? span(end - millis(attempt.started)) : '–'}
                  </td>
                  <td>{attempt.outcome ?? (attempt.ended ? 'ended' : 'goes on')}</td>
                  <td class="right">{used ? gpuHours(used.allocated) : '–'}</td>
                  <td class="right">
                    {used ? percent(used.active, used.allocated - used.unmeasured) : '–'}
                  </td>
                  <td>{attempt.note ?? ''}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
