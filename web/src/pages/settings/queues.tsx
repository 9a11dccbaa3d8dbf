/** The queues: their weights, guarantees and limits. */
import { useState } from 'preact/hooks';
import { act, words } from '../../api/client';
import type { ClusterSpec, Page, QueueView } from '../../api/types';
import { gpus } from '../../format';
import { useResource } from '../../live/resource';
import { List } from '../../parts/list';
import { Dialog, Failure, Panel, Shown } from '../../parts/parts';
import { identity, may } from '../../session';

type Spec = ClusterSpec['queues'] extends (infer Q)[] | undefined ? Q : never;

export function Queues() {
  const queues = useResource<Page<QueueView>>('/v1/queues', { on: false });
  const policy = useResource<ClusterSpec>('/v1/policy', { on: false });
  const [edited, setEdited] = useState<string | null>(null);
  const mayChange = may(identity.value, 'configure');
  const specOf = (name: string) => policy.data?.queues?.find((queue) => queue.name === name);
  const done = () => {
    setEdited(null);
    queues.reload();
    policy.reload();
  };
  return (
    <Panel
      title="Queues"
      tools={
        mayChange && (
          <button type="button" onClick={() => setEdited('')}>
            New queue
          </button>
        )
      }
    >
      <Shown of={queues} what="queues">
        {({ items }) => (
          <List
            rows={items}
            id={(queue) => queue.name}
            label="Queues"
            columns={[
              { name: 'queue', by: (queue) => queue.name, cell: (queue) => queue.name },
              { name: 'weight', isRight: true, cell: (queue) => queue.weight },
              {
                name: 'guaranteed GPUs',
                isRight: true,
                cell: (queue) => (queue.guarantee_milli ? gpus(queue.guarantee_milli) : '–'),
              },
              {
                name: 'at most',
                isRight: true,
                cell: (queue) => (queue.limit_milli ? gpus(queue.limit_milli) : '–'),
              },
              {
                name: 'actions',
                isUnsaid: true,
                cell: (queue) =>
                  mayChange && (
                    <button type="button" class="plain" onClick={() => setEdited(queue.name)}>
                      change
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {edited !== null && policy.data && (
        <Edit spec={specOf(edited)} onClose={() => setEdited(null)} onDone={done} />
      )}
    </Panel>
  );
}

type EditProps = { spec: Spec | undefined; onClose: () => void; onDone: () => void };

/** Only GPUs and the weight; what else a quota limits stays as it is. */
function Edit({ spec, onClose, onDone }: EditProps) {
  const [name, setName] = useState<string>(spec?.name ?? '');
  const [weight, setWeight] = useState(String(spec?.weight ?? 1));
  const [guarantee, setGuarantee] = useState(inGpus(spec?.guarantee));
  const [limit, setLimit] = useState(inGpus(spec?.limit));
  const [failure, setFailure] = useState<string[] | null>(null);
  const save = async () => {
    const quota = (old: Spec['guarantee'], text: string) => ({
      ...old,
      gpus: text.trim() === '' ? null : Math.round(Number(text) * 1000),
    });
    const body = {
      ...spec,
      name,
      weight: Number(weight),
      guarantee: quota(spec?.guarantee, guarantee),
      limit: quota(spec?.limit, limit),
    };
    try {
      await act('PUT', `/v1/queues/${name.split('/').map(encodeURIComponent).join('/')}`, body);
      onDone();
    } catch (error) {
      setFailure(words(error));
    }
  };
  const fields: [string, string, (text: string) => void][] = [
    ['Weight', weight, setWeight],
    ['Guaranteed GPUs', guarantee, setGuarantee],
    ['GPUs at most', limit, setLimit],
  ];
  return (
    <Dialog title={spec ? `Change ${name}` : 'New queue'} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!spec && (
          <label class="field">
            Full name; what stands before the last slash is its parent
            <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        )}
        {fields.map(([label, value, set]) => (
          <label class="field" key={label}>
            {label}
            <input
              type="number"
              min="0"
              step="any"
              value={value}
              onInput={(event) => set(event.currentTarget.value)}
            />
          </label>
        ))}
        {failure && <Failure lines={failure} />}
        <div class="actions">
          <button type="submit" class="main">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function inGpus(quota: Spec['guarantee']): string {
  const milli = (quota as { gpus?: number | null } | undefined)?.gpus;
  return milli == null ? '' : String(Number(milli) / 1000);
}
