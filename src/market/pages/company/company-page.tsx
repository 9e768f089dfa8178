import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { CalendarSearch, ChevronLeft, SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanyDetail } from '#contract/market/company.ts'
import { COMPANY_PARAMS, type CompanySearch } from '#contract/market/company-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { getCompanyLinkProps } from '#src/market/company-link.tsx'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import {
  StatisticsPageForbidden,
  StatisticsPageSkeleton,
} from '#src/market/statistics-scope/statistics-page-states.tsx'
import { StatisticsScopeBar } from '#src/market/statistics-scope/statistics-scope-bar.tsx'
import { StatisticsScopeChips } from '#src/market/statistics-scope/statistics-scope-chips.tsx'
import { StatisticsScopeLine, StatisticsScopePrintHeader } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { useRefetchOnNewerData } from '#src/report/api/newest-data-time-store.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { useScreenTitle } from '#src/shell/navigation/use-screen-title.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { takeLostFocus } from '#src/ui/focus-on-mount.ts'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { CompanyBlocks } from './company-blocks.tsx'
import { CompanyHeader } from './company-header.tsx'
import { useCompanyUrlState } from './use-company-url-state.ts'

function NoWins({ detail: { company, years, scope, figures } }: { detail: CompanyDetail }) {
  const { search } = useCompanyUrlState()
  const bids = figures.bids?.bids ?? 0
  return (
    <EmptyCard
      icon={CalendarSearch}
      title="ไม่มีงานที่ชนะในปีเหล่านี้"
      actions={years.map((year) => (
        <Link
          key={year}
          to="/companies/$name"
          params={{ name: encodeNameForUrlPath(company.name) }}
          search={{ ...search, year_from: year, year_to: year, rows: undefined, page: undefined }}
          className={getButtonClasses('secondary', 'sm')}
        >
          ปี {year}
        </Link>
      ))}
    >
      {bids > 0 && <p>ยื่นเสนอราคา {bids} โครงการแต่ไม่ชนะ ดูรายการด้านล่าง</p>}
      {years.length > 0 ? (
        <p>มีข้อมูลปี {years.join(', ')}</p>
      ) : (
        <p>ยังไม่มีข้อมูลของบริษัทนี้{scope.universe === 'watch' ? 'ในโครงการของเรา ลองดูทุกโครงการ' : 'ในปีใดเลย'}</p>
      )}
    </EmptyCard>
  )
}

function CompanyNotices({ detail: { scope, company } }: { detail: CompanyDetail }) {
  const { ignored, search } = useCompanyUrlState()
  return (
    <div className="flex flex-col gap-2">
      <StatisticsScopeLine scope={scope} />
      <StatisticsScopePrintHeader search={search} />
      <IgnoredParamsNotice params={COMPANY_PARAMS} ignored={ignored} />
      {company.tax_id === null && (
        <Notice role="status">ไม่มีเลขประจำตัวผู้เสียภาษีของรายนี้ ตัวเลขในหน้านี้รวมตามชื่ออย่างเดียว จึงอาจรวมรายอื่นที่ชื่อเดียวกัน</Notice>
      )}
      {company.is_shared_name && (
        <Notice role="status">
          มีบริษัทอื่นชื่อเดียวกัน แยกกันด้วยเลขประจำตัวผู้เสียภาษี ตัวเลขในหน้านี้เป็นของ {company.tax_id ?? 'บริษัทที่ไม่ทราบเลข'} เท่านั้น{' '}
          <Link
            to="/companies"
            search={{ project_winner_name__in: [company.name] }}
            className="text-accent-ink underline-offset-4 hover:underline"
          >
            ดูทุกบริษัทชื่อนี้
          </Link>
        </Notice>
      )}
    </div>
  )
}

export function CompanyPage() {
  const { name, search, change } = useCompanyUrlState()
  const companyResult = useQuery(companyDetailQuery(name, search))
  const detail = companyResult.data
  const problem = companyResult.error instanceof ProblemError ? companyResult.error.status : undefined
  useCanonicalAddress(companyResult.isPlaceholderData ? undefined : detail)
  useRefetchOnNewerData(detail?.scope.computed_at, companyResult.refetch)
  useScreenTitle(problem === 404 ? undefined : detail?.company.name)

  const onScope = (scope: Parameters<typeof change>[0]) => change({ ...scope, rows: undefined })

  if (problem === 404) return <CompanyNotFound name={name} />
  if (companyResult.error && problem === 403)
    return (
      <StatisticsPageForbidden
        heading="รายละเอียดบริษัท"
        title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท"
        error={companyResult.error}
      />
    )
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5 print:[page:report] print:[zoom:0.75]">
      <p className="print:hidden">
        <Link
          to="/companies"
          className="-ml-1 inline-flex items-center gap-1 rounded-control px-1 text-ink-muted hover:text-ink hover:underline touch:min-h-11"
        >
          <ChevronLeft aria-hidden className="size-4" />
          ข้อมูลบริษัท
        </Link>
      </p>
      <CompanyHeader detail={detail} />
      <div className="flex flex-col gap-2">
        <StatisticsScopeBar search={search} years={detail?.years ?? []} onChange={onScope} />
        <StatisticsScopeChips search={search} onChange={onScope} />
      </div>
      {detail && <CompanyNotices detail={detail} />}
      <QueryView
        query={companyResult}
        task="เปิดข้อมูลบริษัท"
        staleTitle="อัปเดตข้อมูลบริษัทไม่สำเร็จ ที่เห็นคือข้อมูลเดิม"
        skeleton={<StatisticsPageSkeleton label="กำลังเปิดข้อมูลบริษัท" figures={8} blocks={2} />}
      >
        {(detail) => (
          <div
            aria-busy={companyResult.isPlaceholderData}
            className="flex flex-col gap-4 transition-opacity aria-busy:opacity-60"
          >
            {detail.figures.wins === 0 && <NoWins detail={detail} />}
            {detail.scope.n > 0 && <CompanyBlocks detail={detail} />}
          </div>
        )}
      </QueryView>
    </div>
  )
}

/** Redirects old spellings, redundant tax ids and decoded slashes to the company's canonical URL. */
function useCanonicalAddress(detail: CompanyDetail | undefined): void {
  const { navigate, namePart, search } = useCompanyUrlState()
  useEffect(() => {
    if (!detail) return
    const { company } = detail
    const { tin, ...remainder } = search
    const canonicalSearch: CompanySearch = { ...remainder, ...buildCompanyTaxIdParam(company) }
    const name = encodeNameForUrlPath(company.name)
    if (namePart === name && tin === canonicalSearch.tin) return
    queryClient.setQueryData(companyDetailQuery(company.name, canonicalSearch).queryKey, detail)
    void navigate({
      to: '/companies/$name',
      params: { name },
      search: canonicalSearch,
      replace: true,
      resetScroll: false,
    })
  })
}

function CompanyNotFound({ name }: { name: string }) {
  const router = useRouter()
  const searchFor = (text: string) =>
    void router.navigate({
      to: '/companies',
      search: text === '' ? {} : { project_winner_name__in: [text] },
    })
  return (
    <div className="mx-auto flex w-full max-w-3xl items-start gap-4 px-4 pt-8 pb-10">
      <span className="mt-1 inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
        <SearchX aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <h1 ref={takeLostFocus} tabIndex={-1} className="text-2xl font-semibold outline-none max-md:text-xl">
          ไม่พบบริษัทนี้
        </h1>
        <p className="mt-1 text-ink-muted [overflow-wrap:anywhere]">
          ไม่มีบริษัทชื่อ “{name.slice(0, 120)}” ที่ชนะหรือยื่นเสนอราคาในข้อมูลที่ระบบมี ตรวจตัวสะกดอีกครั้ง หรือค้นด้วยบางส่วนของชื่อ
          บุคคลธรรมดาไม่มีหน้าข้อมูล
        </p>
        <CompanyPicker
          label="ค้นหาบริษัท"
          text={name.slice(0, 120)}
          onPick={(company) => void router.navigate(getCompanyLinkProps(company, {}))}
          onSearch={searchFor}
          className="mt-4"
        />
        <p className="mt-4">
          <Link to="/companies" className={getButtonClasses()}>
            ดูบริษัททั้งหมด
          </Link>
        </p>
      </div>
    </div>
  )
}
