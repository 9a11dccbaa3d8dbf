/** The funnel taken apart: its steps, and what is lost between them. */
import type { Funnel } from '../../api/types';

export type StepName = 'paid' | 'allocated' | 'active' | 'useful';
export type Step = { name: StepName; words: string; gpuMs: number };

/** Whose GPUs are not told apart have none paid for: what they were given is the whole then. */
export const paidOf = (funnel: Funnel): number => funnel.paid ?? funnel.allocated;

export function stepsOf(funnel: Funnel): Step[] {
  return [
    { name: 'paid', words: 'all GPUs, all the time', gpuMs: paidOf(funnel) },
    { name: 'allocated', words: 'given to jobs', gpuMs: funnel.allocated },
    { name: 'active', words: 'at work, as far as measured', gpuMs: funnel.active },
    { name: 'useful', words: 'work that was kept', gpuMs: funnel.useful },
  ];
}

/** What is missing between the steps, largest first, without what is nothing. */
export function lossesOf(funnel: Funnel): { name: string; gpuMs: number }[] {
  const all = [
    { name: 'free, and nobody used it', gpuMs: funnel.unallocated?.idle ?? 0 },
    { name: 'unusable: drained, unhealthy, not seen', gpuMs: funnel.unallocated?.unusable ?? 0 },
    { name: 'allocated and idle', gpuMs: funnel.idle },
    { name: 'allocated and not measured', gpuMs: funnel.unmeasured },
    { name: 'work of failed attempts', gpuMs: funnel.lost.failed },
    { name: 'work lost in pauses', gpuMs: funnel.lost.paused },
    { name: 'work of cancelled jobs', gpuMs: funnel.lost.cancelled },
    { name: 'launching, saving, restoring', gpuMs: funnel.overhead },
  ];
  return all.filter((loss) => loss.gpuMs > 0).sort((a, b) => b.gpuMs - a.gpuMs);
}
