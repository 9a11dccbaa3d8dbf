import { afterEach, expect, it, vi } from 'vitest';
import type { MapJob } from '../api/types';
import { rankTeams, teamColour } from './colour';

const of = (...teams: string[]) => teams.map((team) => ({ team, queue: 'default' }) as MapJob);

afterEach(() => vi.unstubAllGlobals());

it('leaves a team its colour when others come and go', () => {
  const first = rankTeams(of('language', 'vision'));
  const second = rankTeams(of('batch', 'vision', 'language'));
  expect(second.get('language')).toBe(first.get('language'));
  expect(second.get('vision')).toBe(first.get('vision'));
  expect(new Set(second.values()).size).toBe(3);
  expect(teamColour('vision'), 'on another page').toBe(first.get('vision'));
  expect([...rankTeams(of('batch')).keys()]).toEqual(['batch']);
});

it('gives a team the same colour tomorrow, and begins anew where nonsense was kept', async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const opened = async () => {
    vi.resetModules();
    return import('./colour');
  };
  const today = await opened();
  expect([today.teamColour('vision'), today.teamColour('batch')]).toEqual([0, 1]);
  const tomorrow = await opened();
  expect([tomorrow.teamColour('batch'), tomorrow.teamColour('new')]).toEqual([1, 2]);
  for (const key of kept.keys()) kept.set(key, '{"vision": 7');
  expect((await opened()).teamColour('vision')).toBe(0);
});
