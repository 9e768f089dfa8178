// Applies the stored theme before first paint. A file of its own because the page's CSP allows no inline scripts.
try {
  var theme = localStorage.getItem('tamngan.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch (error) {
  // Storage is blocked: follow the system's theme.
}
