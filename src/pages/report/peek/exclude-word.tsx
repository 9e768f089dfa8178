import { ExcludeWordButton } from '#src/features/exclude-word/exclude-word-button.tsx'
import type { ExcludeWordProps } from '#src/features/exclude-word/exclude-word-dialog.tsx'
import { lazyPart } from '#src/lib/lazy-part.ts'

const load = () => import('./exclude-word-dialog.tsx')
const Dialog = lazyPart(load, 'ExcludeDialog')
const preload = () => void load().catch(() => undefined)

/** The way from a project that does not belong here to an exclusion word. */
export function ExcludeWord({ row }: { row: ExcludeWordProps['row'] }) {
  return <ExcludeWordButton row={row} Dialog={Dialog} preload={preload} />
}
