// Runs before the first paint so that a chosen theme never flashes. A file of its own because the page allows no inline script.
try {
  var theme = localStorage.getItem('tamngan.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch (error) {
  // Storage may be blocked; the system's theme is used then.
}
