/** Most characters that the server keeps of each (C27). */
const MOST = 2000

/** Where somebody came from and on what, as step one sends it (specification section 7): nothing that names the person. */
export function visitorInfo(): { query_string: string; client_info: Record<string, string> } {
  return {
    query_string: location.search.slice(0, MOST),
    client_info: {
      language: navigator.language,
      screen: `${screen.width}x${screen.height}`,
      referrer: document.referrer.slice(0, 200),
    },
  }
}
