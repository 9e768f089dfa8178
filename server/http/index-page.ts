import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { HttpSettings } from './http-settings.ts'

/** Settings of the operator that the client must know; it finds them in `<meta>` tags, and without a tag does without. */
export type PageSettings = Pick<HttpSettings, 'sentryDsn' | 'contactUrl' | 'sampleLogin'>

/** Reads `index.html` and writes the settings into it; again only when the file changed, as a build under a running server does. */
export function createIndexPage(distDir: string, settings: PageSettings): () => Promise<string | undefined> {
  const file = path.join(distDir, 'index.html')
  let known: { changedAt: number; html: string } | undefined
  return async () => {
    const changedAt = await stat(file).then(
      (found) => found.mtimeMs,
      () => undefined,
    )
    if (changedAt === undefined) return undefined
    if (known?.changedAt !== changedAt)
      known = { changedAt, html: withSettings(await readFile(file, 'utf8'), settings) }
    return known.html
  }
}

/** The page with a tag for each setting that is there. */
export function withSettings(html: string, { sentryDsn, contactUrl, sampleLogin }: PageSettings): string {
  const tags =
    metaTag('sentry-dsn', sentryDsn) +
    metaTag('contact-url', contactUrl) +
    metaTag('sample-login', sampleLogin && JSON.stringify(sampleLogin))
  return html.replace('</head>', () => `${tags}</head>`)
}

function metaTag(name: string, value: string | undefined): string {
  if (!value) return ''
  const content = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<meta name="${name}" content="${content}">`
}
