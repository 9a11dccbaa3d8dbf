import { describe, expect, it } from 'vitest';
import type { Identity } from './api/types';
import { may } from './session';

const as = (role: string, queue?: string): Identity => ({ user: 'ada', grants: [{ role, queue }] });

describe('what is offered', () => {
  it('is nothing to those who only look, and nothing to strangers', () => {
    expect(may(as('viewer'), 'change-job', { user: 'ada', queue: 'vision' })).toBe(false);
    expect(may(as('agent'), 'change-node')).toBe(false);
    expect(may(null, 'change-job')).toBe(false);
  });

  it('is one’s own jobs to users and those of others to operators', () => {
    expect(may(as('user'), 'change-job', { user: 'ada', queue: 'q' })).toBe(true);
    expect(may(as('user'), 'change-job', { user: 'eve', queue: 'q' })).toBe(false);
    expect(may(as('operator'), 'change-job', { user: 'eve', queue: 'q' })).toBe(true);
    expect(may(as('operator'), 'configure')).toBe(false);
    expect(may(as('admin'), 'tokens')).toBe(true);
  });

  it('stays within the queue of a grant', () => {
    const who = as('operator', 'vision');
    expect(may(who, 'change-job', { user: 'eve', queue: 'vision/train' })).toBe(true);
    expect(may(who, 'change-job', { user: 'eve', queue: 'visionary' })).toBe(false);
    expect(may(who, 'change-node')).toBe(false);
  });
});
