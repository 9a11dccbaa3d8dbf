/** The queues of the policy as a form: what is changed often, without its notation. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ClusterSpec } from '../../api/types';
import {
  inGpus,
  inMinutes,
  inPercent,
  type QueueSpec,
  withBounds,
  withGpus,
  withIdle,
  withNewQueue,
  withoutQueue,
  withQueue,
} from './form';

type Props = { policy: ClusterSpec; mayChange: boolean; onChange: (policy: ClusterSpec) => void };

const HEADS = ['queue', 'weight', 'guaranteed', 'at most', 'idle jobs are', 'after', 'busy below'];

export function QueueForm({ policy, mayChange, onChange }: Props) {
  return (
    <>
      <div class="scroll">
        <table class="queue-form" aria-label="Queues">
          <thead>
            <tr>
              {HEADS.map((head, index) => (
                <th key={head} class={index > 0 && index !== 4 ? 'right' : ''}>
                  {head}
                </th>
              ))}
              {mayChange && (
                <th>
                  <span class="hidden-text">actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {(policy.queues ?? []).map((queue) => (
              <Row
                key={queue.name}
                queue={queue}
                mayChange={mayChange}
                onChange={(change) => onChange(withQueue(policy, queue.name, change))}
                onRemove={() => onChange(withoutQueue(policy, queue.name))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {mayChange && <Add onAdd={(name) => onChange(withNewQueue(policy, name))} />}
      <p class="inside quiet">
        Weights share what is left among queues of one parent; guarantees and limits are in GPUs.
        Limits of users, of models, of CPUs and of memory, classes and levels are in the JSON.
      </p>
    </>
  );
}

type RowProps = {
  queue: QueueSpec;
  mayChange: boolean;
  onChange: (change: Partial<QueueSpec>) => void;
  onRemove: () => void;
};

function Row({ queue, mayChange, onChange, onRemove }: RowProps) {
  const { name, idle } = queue;
  const figure = (label: string, value: string, set: (text: string) => void, unit = '') => (
    <td class="right nowrap">
      <Figure label={`${label} of ${name}`} value={value} isFixed={!mayChange} onSet={set} />
      {unit && <span class="unit">{unit}</span>}
    </td>
  );
  return (
    <tr>
      <td class={`nowrap depth-${Math.min(name.split('/').length - 1, 4)}`}>
        {name.split('/').at(-1)}
      </td>
      {figure('Weight', String(queue.weight), (text) => onChange({ weight: Number(text) || 1 }))}
      {figure('Guaranteed GPUs', inGpus(queue.guarantee), (text) =>
        onChange({ guarantee: withGpus(queue.guarantee, text) }),
      )}
      {figure('GPUs at most', inGpus(queue.limit), (text) =>
        onChange({ limit: withGpus(queue.limit, text) }),
      )}
      <td>
        <select
          aria-label={`What becomes of idle jobs of ${name}`}
          value={idle ? (idle.then ?? 'flag') : ''}
          disabled={!mayChange}
          onChange={(event) => onChange({ idle: withIdle(idle, event.currentTarget.value) })}
        >
          <option value="">left alone</option>
          <option value="flag">flagged</option>
          <option value="lend">flagged, GPUs lent</option>
          <option value="pause">asked to end</option>
        </select>
      </td>
      {idle ? (
        <>
          {figure(
            'Idle minutes',
            inMinutes(idle),
            (minutes) => onChange({ idle: withBounds(idle, { minutes }) }),
            'min',
          )}
          {figure(
            'Idle bound',
            inPercent(idle),
            (percent) => onChange({ idle: withBounds(idle, { percent }) }),
            '%',
          )}
        </>
      ) : (
        <Nothing />
      )}
      {mayChange && (
        <td>
          <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </button>
        </td>
      )}
    </tr>
  );
}

function Nothing(): ComponentChildren {
  return (
    <>
      <td class="right quiet">–</td>
      <td class="right quiet">–</td>
    </>
  );
}

type FigureProps = {
  label: string;
  value: string;
  isFixed: boolean;
  onSet: (text: string) => void;
};

/** A number that counts once one is done with it: half of one would be checked as another. */
function Figure({ label, value, isFixed, onSet }: FigureProps) {
  return (
    <input
      type="number"
      min="0"
      step="any"
      placeholder="–"
      aria-label={label}
      value={value}
      disabled={isFixed}
      onChange={(event) => onSet(event.currentTarget.value)}
    />
  );
}

function Add({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form
      class="inside add"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(name.trim());
        setName('');
      }}
    >
      <input
        aria-label="Name of a new queue"
        placeholder="new queue, such as research/vision"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" disabled={name.trim() === ''}>
        Add queue
      </button>
    </form>
  );
}
