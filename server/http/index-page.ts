import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** Reads `index.html` and writes the Sentry address into it; again only when the file changed, as a build under a running server does. */
export function createIndexPage(distDir: string, sentryDsn: string | undefined): () => Promise<string | undefined> {
  const file = path.join(distDir, 'index.html')
  let known: { changedAt: number; html: string } | undefined
  return async () => {
    const changedAt = await stat(file).then(
      (found) => found.mtimeMs,
      () => undefined,
    )
    if (changedAt === undefined) return undefined
    if (known?.changedAt !== changedAt)
      known = { changedAt, html: withSentryDsn(await readFile(file, 'utf8'), sentryDsn) }
    return known.html
  }
}

/** The client finds the address in `<meta name="sentry-dsn">`; without the tag it reports nothing. */
export function withSentryDsn(html: string, sentryDsn: string | undefined): string {
  if (!sentryDsn) return html
  const content = sentryDsn.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return html.replace('</head>', () => `<meta name="sentry-dsn" content="${content}"></head>`)
}
