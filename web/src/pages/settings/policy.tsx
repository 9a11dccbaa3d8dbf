/** The policy as a form or as text: what a change would do is shown, checked and asked for first. */
import { useMemo, useState } from 'preact/hooks';
import { act, words } from '../../api/client';
import type { ClusterSpec } from '../../api/types';
import { counted } from '../../format';
import { useResource } from '../../live/resource';
import { Action, Empty, Failure, Panel, Segmented, Shown } from '../../parts/parts';
import { route, setQuery } from '../../route';
import { identity, may } from '../../session';
import { type Difference, differences } from './diff';
import { QueueForm } from './queue-form';

export function PolicyEditor() {
  const policy = useResource<ClusterSpec>('/v1/policy', { on: false });
  return (
    <Shown of={policy} what="the policy">
      {(current) => <Editor key={policy.asOf} current={current} onDone={policy.reload} />}
    </Shown>
  );
}

function Editor({ current, onDone }: { current: ClusterSpec; onDone: () => void }) {
  const original = useMemo(() => written(ordered(current)), [current]);
  const isText = route.value.query.get('as') === 'json';
  const [text, setText] = useState(original);
  const [checked, setChecked] = useState<{ text: string; failure: string[] | null } | null>(null);
  const mayChange = may(identity.value, 'configure');
  const read = useMemo(() => parsed(text), [text]);
  const changes = read.value === undefined ? [] : differences(current, read.value);
  const isChecked = checked?.text === text && checked.failure === null;
  const check = async () => {
    try {
      await act('PUT', '/v1/policy?check=true', read.value);
      setChecked({ text, failure: null });
    } catch (error) {
      setChecked({ text, failure: words(error) });
    }
  };
  return (
    <div class="columns policy">
      <Panel
        title={isText ? 'Levels, classes, queues and policy' : 'Queues'}
        note={mayChange ? undefined : 'an admin may change it'}
        tools={
          <Segmented
            label="Notation"
            options={[
              ['form', 'Form'],
              ['json', 'JSON'],
            ]}
            value={isText ? 'json' : 'form'}
            onChange={(as) => setQuery({ as: as === 'form' ? undefined : as })}
          />
        }
      >
        {isText ? (
          <div class="inside">
            <textarea
              aria-label="The policy as JSON"
              rows={34}
              spellcheck={false}
              readOnly={!mayChange}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </div>
        ) : read.value === undefined ? (
          <Empty title="The JSON cannot be read">Mend it there, or take it back.</Empty>
        ) : (
          <QueueForm
            policy={read.value as ClusterSpec}
            mayChange={mayChange}
            onChange={(policy) => setText(written(policy))}
          />
        )}
      </Panel>
      <Panel title="What would change">
        <div class="inside stack">
          {read.problem && <Failure lines={[read.problem]} />}
          {!read.problem && changes.length === 0 && <p class="quiet">Nothing yet.</p>}
          {changes.length > 0 && <Changes all={changes} />}
          {checked?.text === text && checked.failure && <Failure lines={checked.failure} />}
          {mayChange && (changes.length > 0 || read.problem) && (
            <div class="actions">
              {read.problem ? null : isChecked ? (
                <Action
                  act={() => act('PUT', '/v1/policy', read.value)}
                  isCalm
                  onDone={onDone}
                  confirm={{
                    title: 'Apply the new policy?',
                    text: `${counted(changes.length, 'change')} for everybody, from the next decision on.`,
                    yes: 'Apply it',
                  }}
                >
                  Apply
                </Action>
              ) : (
                <Action main act={check}>
                  Check
                </Action>
              )}
              <button type="button" onClick={() => setText(original)}>
                Take it back
              </button>
            </div>
          )}
          {isChecked && changes.length > 0 && (
            <p class="quiet" role="status">
              The server would accept this.
            </p>
          )}
        </div>
      </Panel>
    </div>
  );
}

const written = (policy: ClusterSpec) => JSON.stringify(policy, null, 2);

/** What is changed often first, the long list of GPU models last. */
function ordered(policy: ClusterSpec): ClusterSpec {
  const { gpu_models, classes, queues, policy: rules, ...rest } = policy;
  return { policy: rules, queues, classes, ...rest, gpu_models };
}

function Changes({ all }: { all: Difference[] }) {
  return (
    <ul class="changes">
      {all.map((change) => (
        <li key={change.path}>
          <span class="mono">{change.path}</span>
          {change.before !== null && <del>{change.before}</del>}
          {change.after !== null && <ins>{change.after}</ins>}
        </li>
      ))}
    </ul>
  );
}

function parsed(text: string): { value?: unknown; problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `this is not JSON: ${(error as Error).message}` };
  }
}
