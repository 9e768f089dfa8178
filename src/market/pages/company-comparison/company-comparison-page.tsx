import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Lock, Plus, UserRound, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { COMPANY_PARAMS, MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { toCompanyParam } from '#src/lib/company-url.ts'
import { getErrorText, ProblemError } from '#src/lib/problem-error.ts'
import {
  buildComparisonApiParams,
  companyComparisonQuery,
  getComparisonExportFile,
} from '#src/market/api/company-comparisons.ts'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import { StatisticsScopeLine, StatisticsScopePrintHeader } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCard } from '#src/ui/skeleton-card.tsx'
import { ChartColourDot, CompanyPageLink } from './block/compared-company-name.tsx'
import { ComparisonBlocks } from './comparison-blocks.tsx'
import { ComparisonEmptyState } from './comparison-empty-state.tsx'
import { ComparisonFilters } from './comparison-filters.tsx'
import { LikelyBiddersButton } from './likely-bidders.tsx'
import { recentComparisonList } from './recent-comparisons.ts'
import {
  abbreviateLegalForm,
  type ComparisonBlockProps,
  type ComparisonCompany,
  toComparisonCompanies,
} from './scope/comparison-company.ts'
import { useComparisonUrlState } from './scope/use-comparison-url-state.ts'

function reasonOf(error: Error): string {
  const byField = error instanceof ProblemError ? Object.values(error.fieldErrors).flat() : []
  return byField.length > 0 ? byField.join(' ') : getErrorText(error)
}

function ComparisonSkeleton() {
  return (
    <SkeletonGroup label="กำลังเปรียบเทียบบริษัท" className="flex flex-col gap-4">
      <div className="grid gap-4 xl:grid-cols-[7fr_5fr]">
        <SkeletonCard className="gap-6 p-5" bars={['w-24', '', '', '', '', '', '']} />
        <SkeletonCard className="p-5" bars={['w-24', 'h-52']} />
      </div>
      <SkeletonCard className="p-5" bars={['w-40', 'h-56']} />
    </SkeletonGroup>
  )
}

function ComparisonNotices({ unknown }: Pick<CompanyComparison, 'unknown'>) {
  const { ignored, names, leftOut, compare } = useComparisonUrlState()
  return (
    <>
      {leftOut.length + unknown.length > 0 && (
        <div role="status" className="flex flex-col gap-2 print:hidden">
          {leftOut.length > 0 && (
            <Notice warns>
              เทียบได้ครั้งละ {MAX_COMPARED_COMPANIES} บริษัท จึงแสดง {MAX_COMPARED_COMPANIES} บริษัทแรก ไม่ได้แสดง:{' '}
              {leftOut.join(', ')}
            </Notice>
          )}
          {unknown.map(({ asked: unknownName, similar }) => (
            <Notice key={unknownName} warns>
              ไม่พบบริษัทชื่อ “{unknownName}”
              {similar.length > 0 && (
                <>
                  {' '}
                  ใช่รายนี้หรือไม่:{' '}
                  {similar.map((company) => (
                    <Button
                      key={company.id}
                      variant="link"
                      size="sm"
                      onClick={() =>
                        compare(names.map((name) => (name === unknownName ? toCompanyParam(company) : name)))
                      }
                    >
                      {company.name}
                    </Button>
                  ))}
                </>
              )}
            </Notice>
          ))}
        </div>
      )}
      <IgnoredParamsNotice params={COMPANY_PARAMS} ignored={ignored} />
    </>
  )
}

export function CompanyComparisonPage() {
  const { search, names, compare } = useComparisonUrlState()
  const heading = useRef<HTMLHeadingElement>(null)
  const hasCompanies = names.length >= 2
  const comparisonResult = useQuery({
    ...companyComparisonQuery(buildComparisonApiParams(search)),
    enabled: hasCompanies,
    placeholderData: keepPreviousData,
  })
  const comparison = hasCompanies ? comparisonResult.data : undefined
  const isOld = comparisonResult.isPlaceholderData
  const companies = comparison ? toComparisonCompanies(comparison, search.us) : []
  const unknown = isOld ? [] : (comparison?.unknown ?? [])
  const canCompare = comparison !== undefined && companies.length >= 2
  useEffect(() => {
    if (canCompare && !isOld) recentComparisonList.remember(companies.map((company) => company.asked))
  }, [canCompare, isOld, companies])

  const start = (
    <ComparisonEmptyState
      names={companies.length > 0 ? companies.map((company) => company.asked) : names}
      compare={(chosen, patch) => {
        // The pressed button unmounts, so move the focus to the heading; otherwise it would be lost.
        heading.current?.focus()
        compare(chosen, patch)
      }}
    />
  )
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-5 pb-10 lg:px-5 print:[page:report] print:[zoom:0.75]">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 ref={heading} tabIndex={-1} className="py-1 text-xl font-semibold">
          เปรียบเทียบบริษัท
        </h1>
        <div className="min-w-0 flex-1 basis-96 max-lg:basis-full max-lg:order-last">
          <CompanyChips companies={companies} unknown={unknown} />
        </div>
        {canCompare && (
          <div className="max-lg:ml-auto">
            <FileDownloadButtons file={getComparisonExportFile(search)} />
          </div>
        )}
      </div>
      {hasCompanies && <ComparisonFilters scope={comparison?.scope} />}
      <ComparisonNotices unknown={unknown} />
      {hasCompanies ? (
        <QueryView
          query={comparisonResult}
          task="เปรียบเทียบบริษัท"
          staleTitle="อัปเดตการเปรียบเทียบไม่สำเร็จ ที่เห็นคือข้อมูลก่อนหน้า"
          errorReason={reasonOf}
          skeleton={<ComparisonSkeleton />}
          forbidden={
            <EmptyCard icon={Lock} title="องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท">
              ติดต่อผู้ดูแลขององค์กรเพื่อเพิ่มในแพ็กเกจ
            </EmptyCard>
          }
          isEmpty={() => !canCompare}
          empty={start}
        >
          {(comparison) => (
            <div aria-busy={isOld || undefined} className="flex flex-col gap-4 aria-busy:opacity-60">
              <StatisticsScopeLine scope={comparison.scope} />
              <StatisticsScopePrintHeader search={search} />
              <ComparisonBlocks comparison={comparison} companies={companies} />
            </div>
          )}
        </QueryView>
      ) : (
        start
      )}
    </div>
  )
}

type CompanyChipsProps = Pick<ComparisonBlockProps, 'companies'> & Pick<CompanyComparison, 'unknown'>

function CompanyChips({ companies, unknown }: CompanyChipsProps) {
  const { names } = useComparisonUrlState()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <ul aria-label="บริษัทที่เปรียบเทียบ" className="contents">
        {names.map((name) => (
          <li key={name} className="min-w-0 max-w-full">
            <CompanyChip
              name={name}
              company={companies.find(({ asked: askedName }) => askedName === name)}
              isUnknown={unknown.some(({ asked: unknownName }) => unknownName === name)}
            />
          </li>
        ))}
      </ul>
      {names.length < MAX_COMPARED_COMPANIES && <AddCompany companies={companies} />}
      <LikelyBiddersButton />
    </div>
  )
}

type CompanyChipProps = { name: string; company: ComparisonCompany | undefined; isUnknown: boolean }

const IN_CHIP = 'inline-flex h-7 min-w-7 shrink-0 items-center justify-center rounded-control touch:h-11 touch:min-w-11'

function CompanyChip({ name, company, isUnknown }: CompanyChipProps) {
  const { search, names, change, compare } = useComparisonUrlState()
  const isUs = search.us === name
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-control border border-line-strong bg-surface-muted py-0.5 pr-1 pl-2.5 touch:py-0">
      {company ? (
        <ChartColourDot tone={company.tone} className="mr-1 size-2.5" />
      ) : (
        <span aria-hidden className="mr-1 size-2.5 shrink-0 rounded-full border border-ink-faint" />
      )}
      <span className="min-w-0 truncate py-0.5" title={company?.name ?? name}>
        {company ? <CompanyPageLink company={company}>{abbreviateLegalForm(company.name)}</CompanyPageLink> : name}
        {isUnknown && <span className="text-urgent"> (ไม่พบ)</span>}
      </span>
      {company && (
        <button
          type="button"
          aria-pressed={isUs}
          aria-label={`${name} คือบริษัทของเรา`}
          title={isUs ? 'บริษัทของเรา' : 'ตั้งเป็นบริษัทของเรา'}
          onClick={() => change({ us: isUs ? undefined : name })}
          className={classNames(
            IN_CHIP,
            'print:hidden',
            isUs ? 'bg-accent px-1.5 text-xs text-on-accent' : 'text-ink-faint hover:text-ink',
          )}
        >
          {isUs ? 'เรา' : <UserRound aria-hidden className="size-3.5" />}
        </button>
      )}
      <button
        type="button"
        aria-label={`เอา ${name} ออก`}
        onClick={() => compare(names.filter((otherName) => otherName !== name))}
        className={classNames(IN_CHIP, 'text-ink-muted hover:text-ink print:hidden')}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

function AddCompany({ companies }: Pick<ComparisonBlockProps, 'companies'>) {
  const { names, compare } = useComparisonUrlState()
  const [state, setState] = useState<'initial' | 'open' | 'closed'>('initial')
  const close = () => setState('closed')
  if (state !== 'open')
    return (
      <Button
        ref={state === 'closed' ? focusOnMount : undefined}
        variant="link"
        icon={Plus}
        className="print:hidden"
        onClick={() => setState('open')}
      >
        เพิ่มบริษัท
      </Button>
    )
  return (
    <EventDelegationBox
      className="w-80 max-w-full print:hidden"
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLInputElement && target.value !== '')) close()
      }}
    >
      <CompanyPicker
        label="เพิ่มบริษัทที่จะเปรียบเทียบ"
        exclude={companies.map(({ id }) => id)}
        onPick={(company) => {
          compare([...names, toCompanyParam(company)])
          close()
        }}
        inputRef={focusOnMount}
      />
    </EventDelegationBox>
  )
}
