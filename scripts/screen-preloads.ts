import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SCREENS, type ScreenPath } from '#contract/screen.ts'
import { firstLoadFiles, type Manifest } from './bundle-size.ts'

/**
 * A script that a screen needs in its first second. `media` limits it to matching windows; `isLater` loads it while the
 * browser is idle, for the next screen.
 */
export type Preload = { readonly file: string; readonly media?: string; readonly isLater?: true }
export type Preloads = Readonly<Partial<Record<ScreenPath, readonly Preload[]>>>

/** Needed by every screen after the first paint (`src/main.tsx`); a group of vite.config.ts. */
const START = ['shell']
/** Also needed by every screen behind the login. */
const SIGNED_IN = ['server-data', 'interface']
/** Chunks of each screen's page and first queries: a module, or the name of a group. */
const CHUNKS: Readonly<Partial<Record<ScreenPath, readonly string[]>>> = {
  '/': SIGNED_IN,
  '/s/{code}': SIGNED_IN,
  '/login': ['src/account/pages/login/login-page.tsx'],
  '/register': [
    'src/account/pages/register/register-page.tsx',
    'src/account/pages/register/start-register.ts',
    'server-data',
  ],
  '/report': SIGNED_IN,
  '/report/{id}': [
    ...SIGNED_IN,
    'src/report/pages/project/project-page.tsx',
    'src/report/pages/project/start-project.ts',
  ],
  '/watch': [...SIGNED_IN, 'src/matching/pages/watch/watch-page.tsx', 'src/matching/pages/watch/start-watch.ts'],
  '/companies': [
    ...SIGNED_IN,
    'src/market/pages/companies/companies-page.tsx',
    'src/market/pages/companies/start-companies.ts',
  ],
  '/companies/{name}': [
    ...SIGNED_IN,
    'src/market/pages/company/company-page.tsx',
    'src/market/pages/company/start-company.ts',
  ],
  '/company-comparison': [
    ...SIGNED_IN,
    'src/market/pages/company-comparison/company-comparison-page.tsx',
    'src/market/pages/company-comparison/start-comparison.ts',
  ],
  '/budget': [...SIGNED_IN, 'src/market/pages/budget/budget-page.tsx', 'src/market/pages/budget/start-budget.ts'],
  '/settings': [
    ...SIGNED_IN,
    'src/account/pages/settings/settings-page.tsx',
    'src/account/pages/settings/start-settings.ts',
  ],
  '/logs': [...SIGNED_IN, 'src/account/pages/usage-log/usage-log-page.tsx'],
}
/** The report shows cards below this width and a table from it on (`TABLE` in report-results.tsx). */
const WINDOWS = [
  { media: '(max-width: 47.99rem)', chunks: ['phone'] },
  { media: '(min-width: 48rem)', chunks: ['desk', 'panel'] },
] as const
const WITH_ROWS: readonly string[] = ['/', '/s/{code}', '/report']

/**
 * Returns the scripts that each screen preloads in addition to those of index.html. Without them a browser discovers
 * each layer only after running the previous one: on a phone four times 150 ms. The server writes them into the page
 * (`server/http/client-files.ts`).
 */
export function screenPreloads(manifest: Manifest): Preloads {
  const named = new Set(firstLoadFiles(manifest, []))
  const later = (chunks: readonly string[], than: ReadonlySet<string>) =>
    firstLoadFiles(manifest, chunks).filter((file) => !than.has(file))
  return Object.fromEntries(
    SCREENS.map(({ path: screen }) => {
      const everywhere = later([...START, ...(CHUNKS[screen] ?? [])], named)
      const byWindow = WINDOWS.filter(() => WITH_ROWS.includes(screen)).flatMap(({ media, chunks }) =>
        later(chunks, new Set([...named, ...everywhere])).map((file) => ({ file, media })),
      )
      return [
        screen,
        [
          ...everywhere.map((file) => ({ file })),
          ...byWindow,
          ...(screen === '/login' ? later(SIGNED_IN, new Set([...named, ...everywhere])) : []).map((file) => ({
            file,
            isLater: true as const,
          })),
        ],
      ]
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.join(import.meta.dirname, '../dist/.vite')
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest
  writeFileSync(path.join(folder, 'preloads.json'), JSON.stringify(screenPreloads(manifest)))
}
