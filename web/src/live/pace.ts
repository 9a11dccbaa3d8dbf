/**
 * When to ask again: at once after a rest, then at most once in a while, never while the tab is
 * hidden or a request is out. Timers come from outside, so that tests need not wait.
 */

export type Clock = {
  now: () => number;
  later: (ms: number, act: () => void) => () => void;
};

export const realClock: Clock = {
  now: () => performance.now(),
  later: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export class Pace {
  private isWanted = false;
  private isBusy = false;
  private isHidden = false;
  private last = Number.NEGATIVE_INFINITY;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly everyMs: number,
    private readonly act: () => Promise<void>,
    private readonly clock: Clock = realClock,
  ) {}

  /** Something changed: ask again, soon. */
  want() {
    this.isWanted = true;
    this.plan();
  }

  /** Somebody waits for it: ask again at once, whenever it was asked last. */
  hurry() {
    this.last = Number.NEGATIVE_INFINITY;
    this.cancel?.();
    this.cancel = null;
    this.want();
  }

  hidden(isHidden: boolean) {
    this.isHidden = isHidden;
    this.plan();
  }

  stop() {
    this.isWanted = false;
    this.cancel?.();
    this.cancel = null;
  }

  private plan() {
    if (!this.isWanted || this.isBusy || this.isHidden || this.cancel) return;
    const wait = Math.max(0, this.last + this.everyMs - this.clock.now());
    this.cancel = this.clock.later(wait, () => {
      this.cancel = null;
      if (this.isWanted && !this.isBusy && !this.isHidden) void this.run();
    });
  }

  private async run() {
    this.isWanted = false;
    this.isBusy = true;
    this.last = this.clock.now();
    try {
      await this.act();
    } finally {
      this.isBusy = false;
      this.plan();
    }
  }
}
