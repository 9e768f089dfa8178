import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Modules of the first screen of /report, and those that only one of its layouts needs. */
export const REPORT_MODULES = [
  'src/routes/loaders/report-loader.ts',
  'src/routes/layout/app-layout.tsx',
  'src/report/pages/report/report-page.tsx',
]
/** Modules that load with it: the offline store, and the URL that a demo link opens. */
const REPORT_COMPANION_MODULES = ['src/shell/installed-app/installed-app-host.tsx', 'src/report/api/start-view.ts']
export const REPORT_CARD_MODULES = ['src/report/pages/report/cards/report-cards.tsx']
export const REPORT_TABLE_MODULES = [
  'src/report/pages/report/table/report-table.tsx',
  'src/report/saved-filters/saved-filter-tabs.tsx',
]

let reportModules: ReadonlySet<string> | undefined

/**
 * Names the chunk of modules that the report's first load on a phone shares with other screens; null for the rest.
 * In one chunk with the modules that only other screens share, the first load was 353 kB instead of 295.
 */
export function nameReportChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  reportModules ??= listImports([...REPORT_MODULES, ...REPORT_CARD_MODULES, ...REPORT_COMPANION_MODULES], context)
  return reportModules.has(id) ? 'report' : null
}

/** Lists modules and, recursively, those that they import statically. */
function listImports(modules: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const ids = new Set<string>()
  const visit = (id: string) => {
    if (ids.has(id)) return
    ids.add(id)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(imported)
  }
  for (const module of modules) visit(path.join(import.meta.dirname, '..', module))
  return ids
}

/**
 * Adds preload links of the report's code to the page, in a comment that `server/http/serve-client-files.ts` opens for
 * the report only. Without them a phone discovers this code after running the entry, and the cards after running the page.
 */
export const reportPreloadPlugin: Plugin = {
  name: 'report-preloads',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle, chunk: entry }) => {
      if (!bundle || !entry) return html
      const listed = new Set([entry.fileName])
      const links = (modules: readonly string[], media = '') =>
        listFiles(bundle, modules)
          .filter((file) => !listed.has(file) && listed.add(file))
          .map((file) => `<link rel="modulepreload"${media} crossorigin href="/${file}">`)
          .join('')
      const all = links(REPORT_MODULES)
      const cards = links(REPORT_CARD_MODULES, ' media="(max-width: 47.99rem)"')
      const table = links(REPORT_TABLE_MODULES, ' media="(min-width: 48rem)"')
      return html.replace('</head>', `<!--report:${all}${cards}${table}:report--></head>`)
    },
  },
}

/** Lists the files of the chunks of these modules and, recursively, of those that they import statically. */
function listFiles(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const visit = (file: string) => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || files.has(file)) return
    files.add(file)
    for (const imported of chunk.imports) visit(imported)
  }
  for (const module of modules) {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
    )
    if (!chunk) throw new Error(`The build has no chunk ${module}: was it renamed?`)
    visit(chunk.fileName)
  }
  return [...files]
}
