/** Tokens: who has one, making one, taking one back. */
import { useState } from 'preact/hooks';
import { act, words } from '../../api/client';
import type { Page, TokenRequest, TokenView } from '../../api/types';
import { useNow, useResource } from '../../live/resource';
import { List } from '../../parts/list';
import { Action, Dialog, Failure, Foot, Panel, Shown, Tag, When } from '../../parts/parts';
import type { Look } from '../../parts/states';

const ROLES = ['viewer', 'user', 'operator', 'admin', 'agent'];

export function Tokens() {
  const now = useNow(30_000);
  const tokens = useResource<Page<TokenView>>('/v1/tokens', { on: false });
  const [isNew, setNew] = useState(false);
  return (
    <Panel
      title="Tokens"
      note="secrets are shown once, when they are made"
      tools={
        <button type="button" onClick={() => setNew(true)}>
          New token
        </button>
      }
    >
      <Shown of={tokens} what="tokens">
        {({ items }) => (
          <List
            rows={items}
            id={(token) => token.id}
            label="Tokens"
            columns={[
              { name: 'id', cell: (token) => <span class="mono">{token.id}</span> },
              { name: 'user', by: (token) => token.user, cell: (token) => token.user },
              {
                name: 'role',
                by: (token) => token.role,
                cell: (token) => token.role + (token.queue ? ` in ${token.queue}` : ''),
              },
              { name: 'state', cell: (token) => <Tag look={lookOf(token, now)} /> },
              {
                name: 'made',
                by: (token) => token.created,
                cell: (token) => <When at={token.created} now={now} />,
              },
              { name: 'ends', cell: (token) => <When at={token.expires} now={now} /> },
              { name: 'for', cell: (token) => token.note },
              {
                name: 'actions',
                isUnsaid: true,
                cell: (token) =>
                  !token.revoked && (
                    <Action
                      act={() => act('DELETE', `/v1/tokens/${encodeURIComponent(token.id)}`)}
                      onDone={tokens.reload}
                      confirm={{
                        title: `Revoke the token of ${token.user}?`,
                        text: 'Whoever uses it is turned away from now on. It cannot be brought back.',
                        yes: 'Revoke it',
                      }}
                    >
                      Revoke
                    </Action>
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {isNew && <Make onClose={() => setNew(false)} onDone={tokens.reload} />}
    </Panel>
  );
}

function lookOf(token: TokenView, now: number): Look {
  if (token.revoked) return { word: 'revoked', tone: 'stop', shape: 'cross' };
  if (token.expires && Date.parse(token.expires) <= now) {
    return { word: 'expired', tone: 'stop', shape: 'clock' };
  }
  return { word: 'good', tone: 'run', shape: 'tick' };
}

function Make({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [user, setUser] = useState('');
  const [role, setRole] = useState('user');
  const [queue, setQueue] = useState('');
  const [days, setDays] = useState('');
  const [note, setNote] = useState('');
  const [made, setMade] = useState<TokenView | null>(null);
  const [failure, setFailure] = useState<string[] | null>(null);
  const make = async () => {
    const ends = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : undefined;
    const request: TokenRequest = { user, role, note, queue: queue || undefined, expires: ends };
    try {
      setMade((await act('POST', '/v1/tokens', request)) as TokenView);
      onDone();
    } catch (error) {
      setFailure(words(error));
    }
  };
  if (made) {
    return (
      <Dialog title={`The token of ${made.user}`} onClose={onClose}>
        <p>Keep it now: it is shown this once.</p>
        <pre class="secret">{made.secret}</pre>
        <Foot
          yes="Copy"
          onYes={() => navigator.clipboard?.writeText(made.secret ?? '')}
          no="Done"
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="New token" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label class="field">
          User
          <input required value={user} onInput={(event) => setUser(event.currentTarget.value)} />
        </label>
        <label class="field">
          Role
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
        <label class="field">
          Only in this queue
          <input value={queue} onInput={(event) => setQueue(event.currentTarget.value)} />
        </label>
        <label class="field">
          Ends after so many days
          <input
            type="number"
            min="1"
            value={days}
            onInput={(event) => setDays(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          What it is for
          <input value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        {failure && <Failure lines={failure} />}
        <Foot yes="Make it" onClose={onClose} />
      </form>
    </Dialog>
  );
}
