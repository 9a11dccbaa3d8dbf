/** Small parts that several pages use. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../api/client';
import type { JobView } from '../api/types';
import { ago, full, millis } from '../format';
import { type Look, lookOf, SHAPES } from './states';

export function Tag({ look }: { look: Look }) {
  return (
    <span class={`tag ${look.tone}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <path d={SHAPES[look.shape]} />
      </svg>
      {look.word}
    </span>
  );
}

export const StateTag = ({ job }: { job: Pick<JobView, 'state' | 'outcome'> }) => (
  <Tag look={lookOf(job)} />
);

/** How long ago something was; in full to whoever points at it. */
export function When({ at, now }: { at: string | null | undefined; now: number }) {
  if (!at) return <span class="quiet">–</span>;
  const moment = millis(at);
  return (
    <time dateTime={at} title={full(moment)} class="nowrap">
      {ago(moment, now)}
    </time>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading pulse" role="status" aria-label={`loading ${what}`}>
      <i />
      <i />
      <i />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <span>{children}</span>}
    </div>
  );
}

export function Failure({ lines, retry }: { lines: string[]; retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {retry && (
        <button type="button" class="plain" onClick={retry}>
          try again
        </button>
      )}
    </div>
  );
}

type PanelProps = {
  title: string;
  note?: ComponentChildren;
  children: ComponentChildren;
  tools?: ComponentChildren;
};

export function Panel({ title, note, tools, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note && <span class="quiet">{note}</span>}
        {tools}
      </header>
      {children}
    </section>
  );
}

type ResourceLike<T> = { data: T | null; failure: string[] | null; reload: () => void };

/** What came, or that it is on its way, or why it did not come. */
export function Shown<T>(props: {
  of: ResourceLike<T>;
  what: string;
  children: (data: T) => ComponentChildren;
}) {
  const { data, failure, reload } = props.of;
  return (
    <>
      {failure && <Failure lines={failure} retry={reload} />}
      {data !== null ? props.children(data) : !failure && <Loading what={props.what} />}
    </>
  );
}

export function Segmented<T extends string>(props: {
  label: string;
  options: [T, string][];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings borders that legends must cut
    <div class="segmented" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** How full something is; the words beside it say the same. */
export function Bar({ part, whole, tone }: { part: number; whole: number; tone?: string }) {
  const width = whole > 0 ? Math.min(100, (100 * part) / whole) : 0;
  return (
    <span class="bar" aria-hidden="true">
      <i style={{ width: `${width}%`, background: tone ? `var(--${tone})` : undefined }} />
    </span>
  );
}

type ActionProps = {
  children: ComponentChildren;
  act: () => Promise<unknown>;
  /** What to ask before something that cannot be undone. */
  confirm?: { title: string; text: string; yes: string };
  onDone?: () => void;
  disabled?: boolean;
  main?: boolean;
  /** Asks before it acts, and yet destroys nothing. */
  isCalm?: boolean;
};

/** A button that does something to the cluster, asks first where it must, and says what came of it. */
export function Action({ children, act, confirm, onDone, disabled, main, isCalm }: ActionProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string[] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const run = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await act();
      setAsking(false);
      onDone?.();
    } catch (error) {
      setFailure(words(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        class={confirm && !isCalm ? 'danger' : main ? 'main' : undefined}
        disabled={disabled || isBusy}
        onClick={() => (confirm ? setAsking(true) : run())}
      >
        {children}
      </button>
      {!confirm && failure && <Failure lines={failure} />}
      {confirm && isAsking && (
        <Dialog title={confirm.title} onClose={() => setAsking(false)}>
          <p>{confirm.text}</p>
          {failure && <Failure lines={failure} />}
          <Foot
            yes={confirm.yes}
            onYes={run}
            onClose={() => setAsking(false)}
            isDanger={!isCalm}
            isBusy={isBusy}
          />
        </Dialog>
      )}
    </>
  );
}

type DialogProps = { title: string; onClose: () => void; children: ComponentChildren };

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} onClose={onClose} aria-label={title}>
      <div class="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

type FootProps = {
  yes: string;
  /** What its main button does; without it, it sends the form that it is the foot of. */
  onYes?: () => void;
  no?: string;
  onClose: () => void;
  isDanger?: boolean;
  isBusy?: boolean;
};

/** The foot of a dialog: what it is there for, and the way out. */
export function Foot({ yes, onYes, no = 'Leave it', onClose, isDanger, isBusy }: FootProps) {
  return (
    <div class="actions">
      <button
        type={onYes ? 'button' : 'submit'}
        class={isDanger ? 'danger' : 'main'}
        disabled={isBusy}
        onClick={onYes}
      >
        {yes}
      </button>
      <button type="button" onClick={onClose}>
        {no}
      </button>
    </div>
  );
}
