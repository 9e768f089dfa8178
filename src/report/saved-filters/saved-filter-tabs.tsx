import { House, type LucideIcon, Mail, Users } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { buildSavedFilterSearch } from '#contract/report/saved-filter-search.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { clearReportFilters } from '#src/lib/bid-segment.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { getNamedElement, nameElement } from '#src/lib/named-elements.ts'
import { formatReportUrlSearch, type ReportUrlSearch, toReportUrlSearch } from '#src/lib/report-url.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { CurrentFilterMenu } from './current-filter-menu.tsx'
import { SaveFilterButton } from './save-filter-button.tsx'
import type { SavedFilterContext, VisibleSavedFilter } from './saved-filter-context.ts'

type Counts = Readonly<Record<string, { readonly total: number; readonly new: number }>>
type SavedFilterTabsProps = {
  context: SavedFilterContext
  counts: Counts | undefined
  children?: ReactNode
}

export function SavedFilterTabs({ context, counts, children }: SavedFilterTabsProps) {
  const { allFilters, search, view, open } = context
  const row = useRef<HTMLUListElement>(null)
  const marked = view.filter?.id ?? view.tab
  // Scroll a newly current tab into view, but only within the list: `scrollIntoView` would also scroll the page.
  useOnChange(marked, () => {
    const tab = getNamedElement('currentFilterTab')?.closest('li')
    if (!row.current || !tab) return
    const { offsetLeft, offsetWidth } = tab
    const { scrollLeft, clientWidth } = row.current
    if (offsetLeft < scrollLeft || offsetLeft + offsetWidth > scrollLeft + clientWidth)
      row.current.scrollLeft = offsetLeft - 24
  })

  const tab = (tabSearch: ReportUrlSearch, isMarked: boolean, content: ReactNode, title?: string) => (
    <a
      ref={isMarked ? nameElement('currentFilterTab') : undefined}
      href={`/report${formatQueryString(formatReportUrlSearch(tabSearch))}`}
      aria-current={isMarked ? 'page' : undefined}
      title={title}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(tabSearch)
      }}
      className={classNames(
        'flex h-11 items-center gap-1.5 border-b-2 px-3 whitespace-nowrap focus-visible:-outline-offset-2 forced-colors:aria-[current]:border-[Highlight]',
        isMarked
          ? 'border-accent-ink font-semibold text-accent-ink'
          : 'border-transparent text-ink-muted hover:text-ink',
      )}
    >
      {content}
    </a>
  )
  return (
    <nav
      aria-label="ตัวกรองที่บันทึก"
      className="-mx-4 flex h-11 items-center border-b border-line px-1 lg:-mx-5 lg:px-2 print:hidden"
    >
      <ul
        ref={row}
        className="relative -mb-px flex min-w-0 overflow-x-auto overscroll-x-contain [scrollbar-width:none]"
      >
        <li className="shrink-0">{tab(clearReportFilters(search), view.tab === 'all', 'ทุกงาน')}</li>
        {allFilters.map((filter) => {
          const isMarked = filter.id === view.filter?.id
          const count = counts && Object.hasOwn(counts, filter.id) ? counts[filter.id] : undefined
          return (
            <li key={`${filter.owner} ${filter.id}`} className="flex shrink-0 items-center">
              {tab(
                toReportUrlSearch(buildSavedFilterSearch(filter, search)),
                isMarked,
                <TabContent filter={filter} fresh={count?.new ?? 0} isModified={isMarked && view.isModified} />,
                count
                  ? `${filter.filterName}: ${formatCount(count.total)} โครงการ ใหม่ ${formatCount(count.new)}`
                  : filter.filterName,
              )}
              {isMarked && <CurrentFilterMenu context={context} />}
            </li>
          )
        })}
      </ul>
      <SaveFilterButton context={context} />
      {children && (
        <div data-search-end className="ml-auto shrink-0 pr-3 pl-2">
          {children}
        </div>
      )}
    </nav>
  )
}

function TabContent({ filter, fresh, isModified }: { filter: VisibleSavedFilter; fresh: number; isModified: boolean }) {
  return (
    <>
      <span className="max-w-32 truncate md:max-w-48">{filter.filterName}</span>
      {(filter.isShared || filter.owner_name) && (
        <>
          <Users aria-hidden className="size-4 shrink-0" />
          <span className={filter.owner_name ? 'max-w-20 truncate text-xs font-normal text-ink-faint' : 'sr-only'}>
            {filter.owner_name ? `ของ ${filter.owner_name}` : 'แบ่งให้ทีม'}
          </span>
        </>
      )}
      {filter.isSend && <TabIcon icon={Mail} text="ส่งทางอีเมล" />}
      {filter.isStart && <TabIcon icon={House} text="มุมมองเริ่มต้น" />}
      {fresh > 0 && (
        <span className="rounded-full bg-new-soft px-1.5 text-xs font-normal text-new tabular-nums">
          ใหม่ {formatCount(fresh)}
        </span>
      )}
      {isModified && (
        <span className="flex items-center gap-1 text-xs font-normal text-updated">
          <span aria-hidden className="size-1.5 rounded-full bg-current" />
          แก้ไขแล้ว
        </span>
      )}
    </>
  )
}

function TabIcon({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">{text}</span>
    </>
  )
}
