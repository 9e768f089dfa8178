import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { COMPANY_DEFAULT_PAGE_SIZE, COMPANY_PAGE_SIZES, COMPANY_PARAMS } from '#contract/company-params.ts'
import { companyListQuery } from '#src/api/companies.ts'
import { CompanyPicker } from '#src/features/company-search/company-picker.tsx'
import { ScopeBar } from '#src/features/figure-scope/scope-bar.tsx'
import { ScopeLine } from '#src/features/figure-scope/scope-line.tsx'
import { IgnoredParams } from '#src/features/ignored-params/ignored-params.tsx'
import { countText } from '#src/lib/money-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Pager } from '#src/ui/pager.tsx'
import { Part } from '#src/ui/part.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { bahtWords } from './baht-words.ts'
import { CompaniesChips } from './companies-chips.tsx'
import { CompaniesFilters } from './companies-filters.tsx'
import { CompaniesKeys } from './companies-keys.tsx'
import { type CompaniesResult, CompaniesResults } from './companies-results.tsx'
import { useCompaniesSelection } from './companies-selection.ts'
import { companyAddress } from './company-link.tsx'
import { CompareBar } from './compare-bar.tsx'
import { RecentWinners } from './recent-winners.tsx'
import { SortSelect } from './sort-select.tsx'
import { LIST_FILTERS, useCompaniesAddress } from './use-companies-address.ts'

/** Room for the table. */
const TABLE = '(min-width: 48rem)'

/** Who wins what: the companies behind the awards, searched, filtered and ordered by the address. */
export function CompaniesPage() {
  const { search, ignored, change, clear } = useCompaniesAddress()
  const router = useRouter()
  const asked = useQuery(companyListQuery(search))
  const result: CompaniesResult = {
    list: asked.data,
    isOld: asked.isPlaceholderData,
    error: asked.error,
    isFetching: asked.isFetching,
    retry: () => void asked.refetch(),
  }
  const selection = useCompaniesSelection()
  const isTable = useMediaQuery(TABLE)
  const list = asked.data
  const names = search.project_winner_name__in ?? []
  const find = (text: string) => {
    const wanted = text
      .split('||')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    change({ project_winner_name__in: wanted.length > 0 ? wanted : undefined })
  }

  return (
    <div className="mx-auto flex w-full max-w-[1632px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <h1 className="text-xl font-semibold">ข้อมูลบริษัท</h1>
      <Part>
        <RecentWinners />
      </Part>
      <div className="flex flex-col gap-2.5">
        <CompanyPicker
          label="ค้นหาบริษัท"
          text={names.join('||')}
          onSearch={find}
          onPick={(company) => void router.navigate(companyAddress(company, search))}
          className="max-w-2xl"
        />
        <ScopeBar
          search={search}
          years={list?.years ?? []}
          onChange={change}
          others={
            LIST_FILTERS.filter((name) => name !== 'project_winner_name__in' && search[name] !== undefined).length
          }
        >
          <CompaniesFilters search={search} change={change} />
        </ScopeBar>
        <CompaniesChips search={search} change={change} clear={clear} />
        <IgnoredParams params={COMPANY_PARAMS} ignored={ignored} />
      </div>
      <section aria-label="รายการบริษัท" className="flex flex-col gap-2.5">
        {list && list.total > 0 && (
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
            <div>
              <p className="tabular-nums">
                พบ <span className="font-semibold">{countText(list.total)}</span> บริษัท · ชนะรวม{' '}
                {countText(list.totals.wins)} ครั้ง
                {list.totals.value !== null && <> · มูลค่ารวม {bahtWords(list.totals.value)}</>}
              </p>
              <ScopeLine scope={list.scope} />
            </div>
            {!isTable && <SortSelect search={search} change={change} />}
          </div>
        )}
        <VisuallyHidden live>{list && !result.isOld ? `พบ ${countText(list.total)} บริษัท` : ''}</VisuallyHidden>
        <Part resetKey={list}>
          <CompaniesResults
            result={result}
            search={search}
            selection={selection}
            isTable={isTable}
            change={change}
            clear={clear}
          />
        </Part>
        {list && list.total > 0 && (
          <Pager
            label="หน้าของบริษัท"
            page={search.page ?? 1}
            pageSize={search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE}
            total={list.total}
            sizes={COMPANY_PAGE_SIZES}
            onPage={(to) => change({ page: to === 1 ? undefined : to })}
            onSize={(size) => change({ page_size: size === COMPANY_DEFAULT_PAGE_SIZE ? undefined : size })}
          />
        )}
      </section>
      {selection.chosen.length > 0 && <CompareBar selection={selection} search={search} />}
      <CompaniesKeys />
    </div>
  )
}
