import { describe, expect, it } from 'vitest';
import { type Clock, Pace } from './pace';

/** A clock that a test moves on. */
class Hand implements Clock {
  private time = 0;
  private waiting: { at: number; act: () => void }[] = [];
  now = () => this.time;
  later = (ms: number, act: () => void) => {
    const entry = { at: this.time + ms, act };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  };
  async to(time: number) {
    this.time = time;
    const due = this.waiting.filter((entry) => entry.at <= time);
    this.waiting = this.waiting.filter((entry) => entry.at > time);
    for (const entry of due) entry.act();
    await Promise.resolve();
    await Promise.resolve();
  }
}

function paced(act: () => Promise<void> = async () => {}) {
  const clock = new Hand();
  const asked: number[] = [];
  const pace = new Pace(
    3000,
    () => {
      asked.push(clock.now());
      return act();
    },
    clock,
  );
  return { clock, asked, pace };
}

describe('asking again', () => {
  it('makes one request of a storm of events', async () => {
    const { clock, asked, pace } = paced();
    for (let index = 0; index < 1000; index += 1) pace.want();
    await clock.to(0);
    for (let index = 0; index < 1000; index += 1) pace.want();
    await clock.to(2999);
    expect(asked).toEqual([0]);
    await clock.to(3000);
    expect(asked).toEqual([0, 3000]);
    await clock.to(60_000);
    expect(asked).toEqual([0, 3000]);
  });

  it('does not keep somebody waiting who has changed something', async () => {
    const { clock, asked, pace } = paced();
    pace.want();
    await clock.to(0);
    pace.want();
    await clock.to(100);
    pace.hurry();
    await clock.to(100);
    expect(asked).toEqual([0, 100]);
    pace.want();
    await clock.to(3000);
    expect(asked).toEqual([0, 100]);
    await clock.to(3100);
    expect(asked).toEqual([0, 100, 3100]);
  });

  it('waits for the request that is out', async () => {
    let done = () => {};
    const { clock, asked, pace } = paced(
      () =>
        new Promise((resolve) => {
          done = resolve;
        }),
    );
    pace.want();
    await clock.to(0);
    pace.want();
    await clock.to(10_000);
    expect(asked).toEqual([0]);
    done();
    await clock.to(10_000);
    await clock.to(10_001);
    expect(asked.length).toBe(2);
  });

  it('asks nothing while nobody looks, and once when somebody does again', async () => {
    const { clock, asked, pace } = paced();
    pace.hidden(true);
    pace.want();
    await clock.to(5000);
    expect(asked).toEqual([]);
    pace.hidden(false);
    await clock.to(5000);
    expect(asked).toEqual([5000]);
  });
});
