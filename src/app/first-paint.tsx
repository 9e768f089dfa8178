import { createMemoryHistory } from '@tanstack/react-router'
import { Bell, Menu, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { screenTitleAtPath } from '#contract/screen.ts'
import { CardsSkeleton, TableSkeleton } from '#src/report/pages/report/report-skeleton.tsx'
import { Logo } from '#src/shell/navigation/logo.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { App } from './app.tsx'
import { createAppRouter } from './router.ts'

/**
 * Placeholder markup shown until the code has loaded; rendered at build time by `scripts/first-paint.ts` and inlined by
 * the server. Purely visual: no headings, fields or buttons, so that nothing is announced twice and no typed text is
 * lost.
 */
export type FirstPaint = {
  /** By screen path; `*` is every other screen that requires login. */
  readonly account: Readonly<Record<'/report' | '*', string>>
  readonly login: string
}

export async function renderFirstPaint(): Promise<FirstPaint> {
  return {
    account: { '/report': await renderMarkup(<ReportFrame />), '*': await renderMarkup(<DefaultFrame />) },
    login: await renderLogin(),
  }
}

async function renderMarkup(element: ReactNode): Promise<string> {
  const { prelude } = await prerender(element)
  return toInertMarkup(await new Response(prelude).text())
}

async function renderLogin(): Promise<string> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/login'] }))
  await router.load()
  return renderMarkup(<App router={router} />)
}

/** React's markers for Suspense and text; useless without hydration, so they are removed. */
const REACT_MARKERS = ['<!--$-->', '<!--/$-->', '<!-- -->']
const TAG_PATTERN = /<(\/?)(a|button|form|h1|h2|h3|header|input|label|li|main|nav|p|section|ul)\b([^<>]*)>/g
const INLINE_TAGS = ['a', 'button', 'label']

/**
 * Converts markup to `div` and `span` elements that look the same but have no roles, names or fields, and removes text
 * for screen readers only.
 */
export function toInertMarkup(html: string): string {
  const visible = html.replaceAll(/<span class="sr-only">[^<>]*<\/span>/g, '')
  return withoutScripts(REACT_MARKERS.reduce((text, mark) => text.replaceAll(mark, ''), visible)).replace(
    TAG_PATTERN,
    (_tag, slash: string, name: string, attributes: string) => {
      const element = INLINE_TAGS.includes(name) ? 'span' : 'div'
      if (slash) return `</${element}>`
      const classes = /\bclass="([^"]*)"/.exec(attributes)?.[1]
      if (name !== 'input') return classes ? `<${element} class="${classes}">` : `<${element}>`
      const placeholder = /\bplaceholder="([^"]*)"/.exec(attributes)?.[1] ?? ''
      return `<div class="${classes ?? ''} flex items-center text-ink-faint">${placeholder}</div>`
    },
  )
}

function withoutScripts(html: string): string {
  const [head, ...scripts] = html.split('<script')
  return head + scripts.map((script) => script.split('</script>').slice(1).join('')).join('')
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="flex h-header shrink-0 items-center gap-2 border-b border-line bg-surface px-3 lg:gap-5 lg:px-5">
        <span className="inline-flex size-9 items-center justify-center text-ink-muted lg:hidden touch:size-11">
          <Menu className="size-5" />
        </span>
        <Logo compact />
        <span className="ml-auto inline-flex size-9 items-center justify-center text-ink-muted touch:size-11">
          <Bell className="size-5" />
        </span>
      </div>
      {children}
    </div>
  )
}

function DefaultFrame() {
  return (
    <Frame>
      <div className="space-y-3 p-5">
        <Skeleton className="h-6 w-56" />
        <Skeleton className="w-80 max-w-full" />
      </div>
    </Frame>
  )
}

function ReportFrame() {
  return (
    <Frame>
      <div className="flex flex-1">
        <div className="hidden w-panel shrink-0 border-r border-line bg-surface px-4 pt-3 xl:block">
          <span className="flex h-8 items-center gap-2 font-semibold">
            <SlidersHorizontal className="size-4" />
            ตัวกรอง
          </span>
        </div>
        <div className="hidden w-11 shrink-0 border-r border-line bg-surface lg:block xl:hidden" />
        <div className="flex min-w-0 flex-1 flex-col px-4 lg:px-5">
          <div className="flex min-h-12 items-center text-xl font-semibold max-md:min-h-11">
            {screenTitleAtPath('/report').split(' · ')[0]}
          </div>
          <Skeleton className="mb-2 h-[46px] md:h-9" />
          <Skeleton className="mb-2 h-9 touch:h-11 md:hidden" />
          <Skeleton className="mb-2 h-9 touch:h-11" />
          <div className="md:hidden">
            <CardsSkeleton />
          </div>
          <div className="hidden min-h-0 flex-1 md:block">
            <TableSkeleton />
          </div>
        </div>
      </div>
    </Frame>
  )
}
