import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signedOutBy, signIn, signOut, token } from '../session';
import { get } from './client';

/** Answers requests when told to, in any order. */
let answers: ((detail: string) => void)[] = [];

beforeEach(() => {
  answers = [];
  const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('fetch', () => {
    return new Promise<Response>((resolve) => {
      answers.push((detail) => resolve(Response.json({ detail }, { status: 401 })));
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('signs out whose token is refused, and says why the first time', async () => {
  signIn('wrong', false);
  const first = get('/v1/whoami');
  const second = get('/v1/cluster');
  answers[0]!('the token is unknown');
  await expect(first).rejects.toThrow('the token is unknown');
  expect(token.value).toBeNull();
  const third = get('/v1/map');
  answers[1]!('the token is unknown still');
  answers[2]!('no token was given');
  await expect(second).rejects.toThrow();
  await expect(third).rejects.toThrow();
  expect(signedOutBy.value).toBe('the token is unknown');
});

it('does not sign out who has come in since', async () => {
  signIn('wrong', false);
  const late = get('/v1/whoami');
  signOut();
  signIn('right', false);
  answers[0]!('the token is unknown');
  await expect(late).rejects.toThrow();
  expect(token.value).toBe('right');
});
