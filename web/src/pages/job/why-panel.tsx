/** Why a job waits or is where it is, when it starts, and what would help. */
import type { WhyView } from '../../api/types';
import { useResource } from '../../live/resource';
import { Panel, Shown } from '../../parts/parts';
import { Counted } from './counted';
import { readWhy, startWords } from './why';

/** Asking why runs the engine on trial: not too often. */
const EVERY_MS = 10_000;

export function WhyPanel({ id, now }: { id: number; now: number }) {
  const view = useResource<WhyView>(`/v1/jobs/${id}/why`, { everyMs: EVERY_MS });
  return (
    <Panel title="Why">
      <Shown of={view} what="why">
        {(view) => {
          const why = readWhy(view);
          const isPlain = why.reasons.length + why.remarks.length + why.helps.length === 0;
          return (
            <div class="inside why-panel">
              {isPlain && <p>{view.text}</p>}
              {why.reasons.length > 0 && (
                <ul class="reasons">
                  {why.reasons.map((reason) => (
                    <li key={reason}>
                      <Counted text={reason} />
                    </li>
                  ))}
                </ul>
              )}
              {(why.expected || why.latest) && (
                <dl class="facts">
                  {why.expected && (
                    <div>
                      <dt>probably starts</dt>
                      <dd>{startWords(why.expected, now)}</dd>
                    </div>
                  )}
                  {why.latest && (
                    <div>
                      <dt>has started at the latest</dt>
                      <dd>{startWords(why.latest, now)}</dd>
                    </div>
                  )}
                </dl>
              )}
              {why.helps.length > 0 && (
                <>
                  <h3>It would start</h3>
                  <ul class="helps">
                    {why.helps.map((help) => (
                      <li key={help}>
                        <Counted text={help} />
                      </li>
                    ))}
                  </ul>
                </>
              )}
              {why.remarks.map((remark) => (
                <p key={remark}>
                  <Counted text={remark} />
                </p>
              ))}
            </div>
          );
        }}
      </Shown>
    </Panel>
  );
}
