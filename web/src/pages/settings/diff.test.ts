import { describe, expect, it } from 'vitest';
import { differences } from './diff';

describe('the difference of two policies', () => {
  it('is nothing between equals', () => {
    expect(differences({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
  });

  it('names each value that changes, comes or goes', () => {
    const before = { policy: { wait: 1, old: true }, levels: ['rack'] };
    const after = { policy: { wait: 2, fresh: 'x' }, levels: ['block', 'rack'] };
    expect(differences(before, after)).toEqual([
      { path: 'policy.wait', before: '1', after: '2' },
      { path: 'policy.old', before: 'true', after: null },
      { path: 'policy.fresh', before: null, after: '"x"' },
      { path: 'levels', before: '["rack"]', after: '["block","rack"]' },
    ]);
  });

  it('finds queues by their names, wherever they stand', () => {
    const queue = (name: string, weight: number) => ({ name, weight });
    const before = { queues: [queue('a', 1), queue('b', 1)] };
    const after = { queues: [queue('a', 3), queue('c', 1), queue('b', 1)] };
    expect(differences(before, after)).toEqual([
      { path: 'queues[a].weight', before: '1', after: '3' },
      { path: 'queues[c]', before: null, after: '{"name":"c","weight":1}' },
    ]);
    const turned = differences(before, { queues: [...before.queues].reverse() });
    expect(turned).toEqual([{ path: 'queues', before: 'a, b', after: 'b, a' }]);
  });
});
