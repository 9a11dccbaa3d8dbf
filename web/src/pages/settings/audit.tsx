/** Who changed what, or tried to. */
import type { AuditView, Page } from '../../api/types';
import { useNow, useResource } from '../../live/resource';
import { List } from '../../parts/list';
import { Empty, Panel, Shown, When } from '../../parts/parts';

export function Audit() {
  const now = useNow(30_000);
  const audit = useResource<Page<AuditView>>('/v1/audit?limit=300', { on: false });
  return (
    <Panel title="Who changed what" note="newest first; accepted jobs are in the journal instead">
      <Shown of={audit} what="the audit">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nobody has changed anything" />
          ) : (
            <List
              rows={items}
              id={(entry) => entry.number}
              label="Audit"
              columns={[
                { name: 'when', cell: (entry) => <When at={entry.time} now={now} /> },
                { name: 'who', by: (entry) => entry.who, cell: (entry) => entry.who },
                { name: 'did', by: (entry) => entry.verb, cell: (entry) => entry.verb },
                { name: 'to', by: (entry) => entry.object, cell: (entry) => entry.object },
                { name: 'outcome', by: (entry) => entry.outcome, cell: (entry) => entry.outcome },
                { name: 'from', cell: (entry) => entry.source ?? '–' },
              ]}
            />
          )
        }
      </Shown>
    </Panel>
  );
}
