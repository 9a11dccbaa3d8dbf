// Before anything is painted: the theme that was chosen, where one was. The rest is in src/theme.ts.
try {
  const theme = localStorage.getItem('muster.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing follows the system.
}
