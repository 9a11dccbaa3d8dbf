import { expect, it } from 'vitest';
import type { MapJob } from '../api/types';
import { rankTeams, teamColour } from './colour';

const of = (...teams: string[]) => teams.map((team) => ({ team, queue: 'default' }) as MapJob);

it('leaves a team its colour when others come and go', () => {
  const first = rankTeams(of('language', 'vision'));
  const second = rankTeams(of('batch', 'vision', 'language'));
  expect(second.get('language')).toBe(first.get('language'));
  expect(second.get('vision')).toBe(first.get('vision'));
  expect(new Set(second.values()).size).toBe(3);
  expect(teamColour('vision'), 'on another page').toBe(first.get('vision'));
  expect([...rankTeams(of('batch')).keys()]).toEqual(['batch']);
});
