import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Trophy } from 'lucide-react'
import { useId, useState } from 'react'
import type { CompanyRow } from '#contract/market/company.ts'
import {
  COMPANY_DEFAULT_PAGE_SIZE,
  COMPANY_PARAMS,
  type CompanySearch,
  MAX_COMPARED_COMPANIES,
  toStatisticsScopeSearch,
} from '#contract/market/company-params.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { toCompanyParam } from '#src/lib/company-url.ts'
import { moneyRangeText, withBahtUnit } from '#src/lib/figure-text.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { isForbiddenError } from '#src/lib/problem-error.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import type { SearchPatch } from '#src/lib/typed-search.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { companyListQuery, companyWinnersQuery, getCompanyListExportFile } from '#src/market/api/companies.ts'
import { getCompanyLinkProps } from '#src/market/company-link.tsx'
import { CompanyPager } from '#src/market/company-pager.tsx'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import { StatisticsScopeBar } from '#src/market/statistics-scope/statistics-scope-bar.tsx'
import { ActiveFilterChip, StatisticsScopeChips } from '#src/market/statistics-scope/statistics-scope-chips.tsx'
import { StatisticsScopeLine, StatisticsScopePrintHeader } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { MoneyRangeFields } from '#src/report/filter/money-range-fields.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import { type ShortcutGroup, ShortcutHelpDialog } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Chip } from '#src/ui/chip.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { COMPANY_ORDERINGS, describeCompanyOrdering } from './companies-columns.tsx'
import { CompaniesResults } from './companies-results.tsx'
import { focusRecentWinners, RecentWinners } from './recent-winners.tsx'
import { type CompaniesSelection, useCompaniesSelection } from './use-companies-selection.ts'
import { COMPANY_LIST_FILTERS, useCompaniesUrlState } from './use-companies-url-state.ts'

type ListFilter = {
  readonly label?: string
  readonly text: string
  readonly cleared: SearchPatch<CompanySearch>
}

/** Returns the filters of this list that are not part of the scope, each with the change that clears it. */
function describeListFilters(search: CompanySearch): ListFilter[] {
  const { project_winner_name__in: names = [], company_value__range: range, check_sme, met } = search
  return [
    ...names.map((name) => ({
      label: 'ชื่อ',
      text: name,
      cleared: { project_winner_name__in: setListValues(names, [name], false) },
    })),
    ...(range
      ? [{ label: 'มูลค่าที่ชนะ', text: `${moneyRangeText(range)} บาท`, cleared: { company_value__range: undefined } }]
      : []),
    ...(check_sme ? [{ text: 'เฉพาะ SME', cleared: { check_sme: undefined } }] : []),
    ...(met ? [{ text: 'เคยพบกับเรา', cleared: { met: undefined } }] : []),
  ]
}

function CompareBar({ selection: { chosen, toggle, clear, isFull } }: { selection: CompaniesSelection }) {
  const { search } = useCompaniesUrlState()
  const { is_access_company_comparison: canCompare } = useOrganisation()
  const query = { ...toStatisticsScopeSearch(search), project_winner_name__in: chosen.map(toCompanyParam) }
  return (
    <section
      aria-label="บริษัทที่เลือกไว้เปรียบเทียบ"
      className="sticky bottom-[calc(var(--bottom-bar,0px)+0.75rem)] z-20 flex flex-wrap items-center gap-2 rounded-card border border-accent-line bg-surface px-3 py-2 shadow-float print:hidden"
    >
      <p role="status" className="font-medium">
        เลือกแล้ว {formatCount(chosen.length)} จาก {MAX_COMPARED_COMPANIES}
        {isFull && <span className="sr-only"> ครบแล้ว</span>}
      </p>
      <ul className="flex min-w-0 flex-1 flex-wrap gap-1.5 max-md:hidden">
        {chosen.map((company) => (
          <li key={company.id} className="max-w-64">
            <Chip removeLabel={`ไม่เปรียบเทียบ ${company.name}`} onRemove={() => toggle(company)}>
              {company.name}
            </Chip>
          </li>
        ))}
      </ul>
      <Button variant="quiet" onClick={clear} className="max-md:ml-auto">
        ยกเลิก
      </Button>
      {!canCompare ? (
        <p className="text-sm text-ink-muted">องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท</p>
      ) : chosen.length < 2 ? (
        <p className="text-sm text-ink-muted">เลือกอีกอย่างน้อย 1 บริษัท</p>
      ) : (
        <Link to="/company-comparison" search={query} className={getButtonClasses('primary')}>
          เปรียบเทียบ {formatCount(chosen.length)} บริษัท
        </Link>
      )}
    </section>
  )
}

function CompaniesFilters() {
  const { search, change } = useCompaniesUrlState()
  const id = useId()
  return (
    <>
      <fieldset aria-labelledby={id} className="flex items-start gap-1.5">
        <span id={id} className="flex h-9 items-center whitespace-nowrap text-ink-muted touch:h-11">
          มูลค่าที่ชนะ
        </span>
        <MoneyRangeFields
          name="มูลค่าที่ชนะ"
          range={search.company_value__range}
          onChange={(range) => change({ company_value__range: range })}
          className="w-32 max-md:flex-1"
        />
      </fieldset>
      <Checkbox
        checked={search.check_sme === true}
        onChange={(on) => change({ check_sme: on || undefined })}
        className="items-center!"
      >
        เฉพาะ SME
      </Checkbox>
      <span title="เคยยื่นเสนอราคาในโครงการที่คุณติดดาว">
        <Checkbox
          checked={search.met === true}
          onChange={(on) => change({ met: on || undefined })}
          className="items-center!"
        >
          เคยพบกับเรา
        </Checkbox>
      </span>
    </>
  )
}

function SortSelect() {
  const { ordering, setOrdering } = useCompaniesUrlState()
  const isListed = COMPANY_ORDERINGS.some(({ value }) => value === ordering)
  return (
    <div className="flex items-center gap-2 text-ink-muted">
      <span aria-hidden>เรียงตาม</span>
      <Listbox
        label="เรียงตาม"
        value={ordering}
        options={[
          ...COMPANY_ORDERINGS,
          ...(isListed ? [] : [{ value: ordering, th: describeCompanyOrdering(ordering) }]),
        ]}
        onChange={setOrdering}
        className="h-9 touch:h-11"
      />
    </div>
  )
}

const TABLE_MEDIA_QUERY = '(min-width: 48rem)'

export function CompaniesPage() {
  const { search, ignored, change, clear } = useCompaniesUrlState()
  const router = useRouter()
  const companyList = useQuery(companyListQuery(search))
  usePrefetchQuery(companyWinnersQuery)

  const selection = useCompaniesSelection()
  const isTable = useMediaQuery(TABLE_MEDIA_QUERY)
  const list = companyList.data
  const filters = describeListFilters(search)
  const names = search.project_winner_name__in ?? []
  const find = (text: string) => {
    const searchedNames = text
      .split('||')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    change({ project_winner_name__in: searchedNames.length > 0 ? searchedNames : undefined })
  }

  return (
    <div className="flex w-full flex-col gap-2.5 px-4 pt-3 pb-10 lg:px-5 print:[page:report] print:[zoom:0.7]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-semibold">ข้อมูลบริษัท</h1>
        <CompanyPicker
          label="ค้นหาบริษัท"
          text={names.join('||')}
          onSearch={find}
          onPick={(company) => void router.navigate(getCompanyLinkProps(company, search))}
          className="max-w-2xl flex-1 max-md:order-last max-md:basis-full print:hidden"
        />
        <div className="ml-auto flex items-center gap-1 print:hidden">
          <Button variant="quiet" icon={Trophy} onClick={focusRecentWinners} className="max-lg:hidden">
            ผู้ชนะ 7 วันนี้
          </Button>
          {/* On a phone the buttons wrap into a row of their own, which is reserved while the list loads. */}
          {(!list || list.total > 0) && (
            <div className={list ? undefined : 'invisible'}>
              <FileDownloadButtons file={getCompanyListExportFile(search)} />
            </div>
          )}
        </div>
      </div>
      <div className="flex flex-col gap-2">
        <StatisticsScopeBar
          search={search}
          years={list?.years ?? []}
          onChange={change}
          otherCount={
            COMPANY_LIST_FILTERS.filter((name) => name !== 'project_winner_name__in' && search[name] !== undefined)
              .length
          }
        >
          <CompaniesFilters />
        </StatisticsScopeBar>
        <StatisticsScopeChips search={search} onChange={change} onClear={clear} otherCount={filters.length}>
          {filters.map(({ label, text, cleared }) => (
            <ActiveFilterChip key={`${label} ${text}`} label={label} text={text} onRemove={() => change(cleared)} />
          ))}
        </StatisticsScopeChips>
        <IgnoredParamsNotice params={COMPANY_PARAMS} ignored={ignored} />
      </div>
      {list && (
        <StatisticsScopePrintHeader
          search={search}
          otherTexts={filters.map(({ label, text }) => (label ? `${label}: ${text}` : text))}
        />
      )}
      <section aria-label="รายการบริษัท" className="flex flex-col gap-2">
        {!list && <Skeleton className="h-6 w-72 max-w-full" />}
        {list && list.total > 0 && (
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <p className="tabular-nums">
                พบ <span className="font-semibold">{formatCount(list.total)}</span> บริษัท · ชนะรวม{' '}
                {formatCount(list.totals.wins)} ครั้ง
                {list.totals.value !== null && <> · มูลค่ารวม {withBahtUnit(formatBahtCompact(list.totals.value))}</>}
              </p>
              <StatisticsScopeLine scope={list.scope} />
            </div>
            {!isTable && <SortSelect />}
          </div>
        )}
        <VisuallyHidden live>
          {list && !companyList.isPlaceholderData ? `พบ ${formatCount(list.total)} บริษัท` : ''}
        </VisuallyHidden>
        <CompaniesResults query={companyList} selection={selection} isTable={isTable} />
        {list && list.total > 0 && (
          <CompanyPager
            label="หน้าของบริษัท"
            page={search.page ?? 1}
            pageSize={search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE}
            total={list.total}
            change={change}
          />
        )}
      </section>
      {/* Wait for the list above, whose rows would push this section down. */}
      {(list || (companyList.isError && !isForbiddenError(companyList.error))) && <RecentWinners />}
      {selection.chosen.length > 0 && <CompareBar selection={selection} />}
      <CompaniesShortcuts rows={list?.results ?? []} selection={selection} />
    </div>
  )
}

const GROUPS: readonly ShortcutGroup[] = [
  {
    title: 'ไล่ดูบริษัท',
    entries: [
      { keys: ['J'], th: 'บริษัทถัดไป' },
      { keys: ['K'], th: 'บริษัทก่อนหน้า' },
      { keys: ['Enter'], th: 'เปิดหน้าบริษัท' },
      { keys: ['S'], th: 'เลือกหรือเลิกเลือกเพื่อเปรียบเทียบ' },
    ],
  },
  {
    title: 'หาและไปที่อื่น',
    entries: [
      { keys: ['/'], th: 'ไปช่องค้นหา' },
      { keys: ['?'], th: 'คีย์ลัดทั้งหมด (หน้านี้)' },
    ],
  },
]

function CompaniesShortcuts({ rows, selection }: { rows: readonly CompanyRow[]; selection: CompaniesSelection }) {
  const [help, setHelp] = useState(false)
  const { screens, goTo } = useScreenShortcuts()
  const linkOf = (row: CompanyRow | undefined) => row && getNamedElement(`company ${row.id}`)
  const findCurrentIndex = () =>
    rows.findIndex((row) => linkOf(row)?.closest('tr, li')?.contains(document.activeElement))
  const moveFocus = (step: 1 | -1) => {
    const at = findCurrentIndex()
    linkOf(rows[at === -1 && step === 1 ? 0 : at + step])?.focus()
  }
  const toggleCurrent = () => {
    const row = rows[findCurrentIndex()]
    if (row) selection.toggle(row)
  }
  useShortcuts(({ name, letter }) => {
    const actions: Partial<Record<typeof name, () => void>> = {
      next: () => moveFocus(1),
      previous: () => moveFocus(-1),
      select: toggleCurrent,
      search: () => getNamedElement('search')?.focus(),
      help: () => setHelp(true),
      go: () => goTo(letter),
    }
    actions[name]?.()
  })
  if (!help) return null
  return <ShortcutHelpDialog onClose={() => setHelp(false)} screens={screens} groups={GROUPS} />
}
