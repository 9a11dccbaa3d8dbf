// Names the theme before anything is painted: the one that was chosen, or the system's. The rest is
// in src/theme.ts.
let chosen = null;
try {
  chosen = localStorage.getItem('muster.theme');
} catch {
  // A browser that keeps nothing follows the system.
}
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
