/** Who is signed in, and what they may do. The token stays in this browser. */
import { signal } from '@preact/signals';
import type { Identity } from './api/types';

const KEY = 'muster.token';
const ORDER = ['viewer', 'user', 'operator', 'admin'];

/** The token; null where nobody is signed in. */
export const token = signal<string | null>(null);
/** Whom it stands for, once the server has said so. */
export const identity = signal<Identity | null>(null);
/** Why one was signed out, where the server refused. */
export const signedOutBy = signal<string | null>(null);

/** Takes the token out of the address, or the one that was kept. */
export function startSession() {
  const fromAddress = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (fromAddress) {
    // Out of the address at once: it would stay in the history and in screenshots.
    history.replaceState(null, '', '#/');
    signIn(decodeURIComponent(fromAddress), false);
    return;
  }
  token.value = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

export function signIn(secret: string, stay: boolean) {
  const [kept, other] = stay ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  kept.setItem(KEY, secret);
  other.removeItem(KEY);
  signedOutBy.value = null;
  identity.value = null;
  token.value = secret;
}

export function signOut(why: string | null = null) {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  signedOutBy.value = why;
  identity.value = null;
  token.value = null;
}

export type Deed = 'change-job' | 'change-node' | 'configure' | 'tokens';

/**
 * Whether the server would allow something. It decides; this only keeps buttons that would be
 * refused off the page.
 */
export function may(
  who: Identity | null,
  deed: Deed,
  of: { user?: string; queue?: string } = {},
): boolean {
  if (!who) return false;
  return who.grants.some((grant) => {
    const isIn = !grant.queue || (of.queue !== undefined && isWithin(of.queue, grant.queue));
    const rank = ORDER.indexOf(grant.role);
    const needed =
      deed === 'change-job'
        ? of.user === who.user
          ? 'user'
          : 'operator'
        : deed === 'change-node'
          ? 'operator'
          : 'admin';
    return isIn && rank >= ORDER.indexOf(needed);
  });
}

function isWithin(queue: string, scope: string): boolean {
  return queue === scope || queue.startsWith(`${scope}/`);
}
