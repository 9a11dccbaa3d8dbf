/** Bookings: nodes set aside for a time, making one and taking one back. */
import { useState } from 'preact/hooks';
import { act, words } from '../../api/client';
import type { BookingView, NodeView, Page } from '../../api/types';
import { ago, clock, full } from '../../format';
import { useNow, useResource } from '../../live/resource';
import { List } from '../../parts/list';
import {
  Action,
  Dialog,
  Empty,
  Failure,
  Foot,
  Loading,
  Panel,
  Shown,
  Tag,
} from '../../parts/parts';
import { identity, may } from '../../session';
import { type Booking, bookingOf, choicesOf, type Draft, peopleOf, wordOf } from './booking';

/** Places that are offered at once; a few letters lead to the others. */
const OFFERED_MAX = 60;

const addressOf = (name: string) => `/v1/bookings/${encodeURIComponent(name)}`;

export function Bookings() {
  const now = useNow(5000);
  const bookings = useResource<Page<BookingView>>('/v1/bookings', {
    on: (event) => event.kind.startsWith('booking'),
  });
  const [isNew, setNew] = useState(false);
  const mayChange = may(identity.value, 'change-node');
  const known = (bookings.data?.items ?? []).map(({ booking }) => booking.name);
  return (
    <Panel
      title="Bookings"
      note="nodes set aside for a time, for some or for nobody"
      tools={
        mayChange && (
          <button type="button" onClick={() => setNew(true)}>
            New booking
          </button>
        )
      }
    >
      <Shown of={bookings} what="bookings">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is set aside">Every node is for everybody.</Empty>
          ) : (
            <Table items={items} now={now} onDone={mayChange ? bookings.reload : undefined} />
          )
        }
      </Shown>
      {isNew && <Make known={known} onClose={() => setNew(false)} onDone={bookings.reload} />}
    </Panel>
  );
}

type TableProps = { items: BookingView[]; now: number; onDone?: () => void };

function Table({ items, now, onDone }: TableProps) {
  const moment = (at: number | null | undefined) =>
    at == null ? (
      'taken back'
    ) : (
      <time dateTime={full(at)} title={ago(at, now)}>
        {clock(at, now)}
      </time>
    );
  return (
    <List
      rows={items}
      id={({ booking }) => booking.name}
      label="Bookings"
      columns={[
        {
          name: 'booking',
          isWhole: true,
          by: ({ booking }) => booking.name,
          cell: ({ booking }) => booking.name,
        },
        {
          name: 'state',
          cell: ({ is_open }) => (
            <Tag
              look={
                is_open
                  ? { word: 'open', tone: 'run', shape: 'play' }
                  : { word: 'to come', tone: 'wait', shape: 'clock' }
              }
            />
          ),
        },
        { name: 'for', cell: ({ booking }) => peopleOf(booking) },
        { name: 'where', cell: ({ booking }) => booking.places.map(wordOf).join(', ') },
        {
          name: 'from',
          isWhole: true,
          by: ({ booking }) => Number(booking.start),
          cell: ({ booking }) => moment(booking.start),
        },
        { name: 'until', isWhole: true, cell: ({ booking }) => moment(booking.end) },
        ...(onDone
          ? [
              {
                name: 'actions',
                isUnsaid: true,
                cell: (view: BookingView) => <TakeBack view={view} onDone={onDone} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function TakeBack({ view, onDone }: { view: BookingView; onDone: () => void }) {
  const { name } = view.booking;
  return (
    <Action
      act={() => act('DELETE', addressOf(name))}
      onDone={onDone}
      confirm={{
        title: `Take ${name} back?`,
        text: 'Its nodes are for everybody again, from now on.',
        yes: 'Take it back',
      }}
    >
      Take back
    </Action>
  );
}

const EMPTY: Draft = {
  name: '',
  places: [],
  users: '',
  queues: '',
  from: '',
  until: '',
  leftovers: 'wait',
};

type MakeProps = { known: string[]; onClose: () => void; onDone: () => void };

function Make({ known, onClose, onDone }: MakeProps) {
  const nodes = useResource<Page<NodeView>>('/v1/nodes', { on: false });
  const [draft, setDraft] = useState(EMPTY);
  const [failure, setFailure] = useState<string[] | null>(null);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const choices = choicesOf(nodes.data?.items ?? []);
  const save = async () => {
    const booking: Booking = bookingOf(draft, choices, Date.now());
    // The address would change the one that is there.
    if (known.includes(booking.name)) return setFailure([`there is a booking ${booking.name}`]);
    if (booking.places.length === 0) return setFailure(['choose at least one place']);
    try {
      await act('PUT', addressOf(booking.name), booking);
      onDone();
      onClose();
    } catch (error) {
      setFailure(words(error));
    }
  };
  const text = (label: string, name: 'name' | 'users' | 'queues') => (
    <label class="field">
      {label}
      <input
        required={name === 'name'}
        value={draft[name]}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  const moment = (label: string, name: 'from' | 'until') => (
    <label class="field">
      {label}
      <input
        type="datetime-local"
        value={draft[name]}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <Dialog title="New booking" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {text('Name, by which jobs ask to run in it', 'name')}
        {nodes.data ? (
          <Places
            all={[...choices.keys()]}
            chosen={draft.places}
            onChange={(places) => set({ places })}
          />
        ) : (
          <Loading what="nodes" />
        )}
        <div class="pair">
          {moment('From; now if empty', 'from')}
          {moment('Until; taken back if empty', 'until')}
        </div>
        <div class="pair">
          {text('For these users', 'users')}
          {text('and these queues', 'queues')}
        </div>
        <p class="quiet">For nobody it is a maintenance: nothing runs there while it lasts.</p>
        <label class="field">
          Jobs of others that are there when it starts
          <select
            value={draft.leftovers}
            onChange={(event) => set({ leftovers: event.currentTarget.value })}
          >
            <option value="wait">are waited for</option>
            <option value="requeue">are stopped where they can start again</option>
          </select>
        </label>
        {failure && <Failure lines={failure} />}
        <Foot yes="Set aside" onClose={onClose} />
      </form>
    </Dialog>
  );
}

type PlacesProps = { all: string[]; chosen: string[]; onChange: (chosen: string[]) => void };

/** Chosen ones first, then what the letters lead to. */
function Places({ all, chosen, onChange }: PlacesProps) {
  const [search, setSearch] = useState('');
  const found = all.filter(
    (word) => !chosen.includes(word) && word.toLowerCase().includes(search.toLowerCase()),
  );
  const offered = found.slice(0, OFFERED_MAX);
  const turn = (word: string) =>
    onChange(chosen.includes(word) ? chosen.filter((other) => other !== word) : [...chosen, word]);
  return (
    <fieldset class="places">
      <legend>Where: {chosen.length === 0 ? 'nowhere yet' : chosen.join(', ')}</legend>
      <input
        type="search"
        aria-label="Search places"
        placeholder="node, rack/ …"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <div class="offered">
        {[...chosen, ...offered].map((word) => (
          <label key={word} class="check">
            <input type="checkbox" checked={chosen.includes(word)} onChange={() => turn(word)} />
            {word}
          </label>
        ))}
        {found.length > OFFERED_MAX && (
          <span class="quiet">and {found.length - OFFERED_MAX} more</span>
        )}
      </div>
    </fieldset>
  );
}
