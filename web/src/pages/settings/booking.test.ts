import { describe, expect, it } from 'vitest';
import { bookingOf, choicesOf, type Draft, peopleOf, wordOf } from './booking';

const nodes = [
  { name: 'n10', domains: ['b1', 'r2'] },
  { name: 'n9', domains: ['b1', 'r1'] },
];
const draft: Draft = {
  name: ' fix ',
  places: ['b1/r2/', 'n9'],
  users: 'ann, bob',
  queues: '',
  from: '',
  until: '',
  leftovers: 'wait',
};
const NOW = Date.parse('2026-11-16T12:00:00Z');

describe('a booking', () => {
  it('may be of everything, of domains and of nodes, in that order', () => {
    expect([...choicesOf(nodes).keys()]).toEqual([
      'all nodes',
      'b1/',
      'b1/r1/',
      'b1/r2/',
      'n9',
      'n10',
    ]);
    expect(wordOf({ domain: ['b1', 'r1'] })).toBe('b1/r1/');
  });

  it('begins now and ends never where no moments are given', () => {
    expect(bookingOf(draft, choicesOf(nodes), NOW)).toEqual({
      name: 'fix',
      users: ['ann', 'bob'],
      queues: [],
      places: [{ domain: ['b1', 'r2'] }, { node: 'n9' }],
      start: NOW,
      end: null,
      leftovers: 'wait',
    });
  });

  it('reads moments by the clock of the reader', () => {
    const timed = { ...draft, from: '2026-11-17T08:00', until: '2026-11-17T09:30' };
    const { start, end } = bookingOf(timed, choicesOf(nodes), NOW);
    expect(Number(end) - Number(start)).toBe(90 * 60_000);
    expect(new Date(Number(start)).getHours()).toBe(8);
  });

  it('is for nobody where nobody is named', () => {
    const nobody = { ...draft, users: ' ' };
    expect(peopleOf(bookingOf(nobody, choicesOf(nodes), NOW))).toBe('nobody: maintenance');
    expect(peopleOf(bookingOf(draft, choicesOf(nodes), NOW))).toBe('ann, bob');
  });
});
