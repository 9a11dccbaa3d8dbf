/** Light or dark: as the system has it, until somebody chooses. */
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'muster.theme';

const kept = localStorage.getItem(KEY);
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');

const dark = matchMedia('(prefers-color-scheme: dark)');

/** What is shown now, also for canvases, which style sheets do not reach. */
export const isDark = signal(dark.matches);

export function startTheme() {
  const update = () => {
    isDark.value = theme.value === 'system' ? dark.matches : theme.value === 'dark';
  };
  effect(() => {
    if (theme.value === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme.value);
    update();
  });
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
  });
  dark.addEventListener('change', update);
}

export function switchTheme() {
  theme.value = isDark.value ? 'light' : 'dark';
}
