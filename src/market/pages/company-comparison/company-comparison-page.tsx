import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Lock, Plus, UserRound, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { COMPANY_PARAMS, type IgnoredCompanyParam, MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getErrorText, ProblemError } from '#src/lib/problem-error.ts'
import { buildComparisonApiParams, companyComparisonQuery } from '#src/market/api/company-comparisons.ts'
import { getComparisonExportFile } from '#src/market/api/company-export-files.ts'
import { CompanyPageLink } from '#src/market/pages/company-comparison/block/company-page-link.tsx'
import { StatisticsScopeLine, StatisticsScopePrintHeader } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { getChartColourClasses } from '#src/ui/chart/chart-tone.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { AddComparedCompanyBox } from './add-company-box.tsx'
import { ComparisonBlocks } from './comparison-blocks.tsx'
import { ComparisonControls } from './comparison-controls.tsx'
import { ComparisonEmptyState } from './comparison-empty-state.tsx'
import { LikelyBiddersButton } from './likely-bidders.tsx'
import { rememberComparison } from './recent-comparisons.ts'
import { abbreviateLegalForm, type ComparisonCompany, toComparisonCompanies } from './scope/comparison-company.ts'
import { type ComparisonUrlState, toCompanyParam, useComparisonUrlState } from './scope/use-comparison-url-state.ts'

function reasonOf(error: Error): string {
  const byField = error instanceof ProblemError ? Object.values(error.fieldErrors).flat() : []
  return byField.length > 0 ? byField.join(' ') : getErrorText(error)
}

const ROWS = ['wins', 'value', 'rate', 'discount', 'median', 'last']

function ComparisonSkeleton() {
  return (
    <SkeletonGroup label="กำลังเปรียบเทียบบริษัท" className="flex flex-col gap-4">
      <div className="grid gap-4 xl:grid-cols-[7fr_5fr]">
        <Card className="flex flex-col gap-4 p-5">
          <Skeleton className="w-24" />
          {ROWS.map((row) => (
            <span key={row} className="flex justify-between gap-6">
              <Skeleton className="w-1/4" />
              <Skeleton className="w-1/3" />
            </span>
          ))}
        </Card>
        <Card className="grid grid-cols-3 gap-2 p-5">
          {[...ROWS, 'a', 'b', 'c'].map((cell) => (
            <Skeleton key={cell} className="h-14" />
          ))}
        </Card>
      </div>
      <Card className="p-5">
        <Skeleton className="mb-4 w-40" />
        <Skeleton className="h-56" />
      </Card>
    </SkeletonGroup>
  )
}

type ComparisonNoticesProps = {
  ignored: readonly IgnoredCompanyParam[]
  names: readonly string[]
  leftOut: readonly string[]
  unknown: CompanyComparison['unknown']
  compare: ComparisonUrlState['compare']
}

function ComparisonNotices({ ignored, names, leftOut, unknown, compare }: ComparisonNoticesProps) {
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
  const address = useComparisonUrlState()
  const { search, ignored, names, leftOut, smeBand, change, compare } = address
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
    if (canCompare && !isOld) rememberComparison(companies.map((company) => company.asked))
  }, [canCompare, isOld, companies])

  const start = (
    <ComparisonEmptyState
      names={companies.length > 0 ? companies.map((company) => company.asked) : names}
      compare={compare}
    />
  )
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-5 pb-10 lg:px-5 print:[page:report] print:[zoom:0.75]">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="py-1 text-xl font-semibold">
          เปรียบเทียบบริษัท
        </h1>
        <div className="min-w-0 flex-1 basis-96 max-lg:basis-full max-lg:order-last">
          <CompanyChips
            address={address}
            companies={companies}
            unknown={new Set(unknown.map((company) => company.asked))}
          >
            <LikelyBiddersButton names={names} compare={compare} />
          </CompanyChips>
        </div>
        {canCompare && (
          <div className="max-lg:ml-auto">
            <FileDownloadButtons file={getComparisonExportFile(search)} />
          </div>
        )}
      </div>
      {hasCompanies && (
        <ComparisonControls search={search} smeBand={smeBand} scope={comparison?.scope} change={change} />
      )}
      <ComparisonNotices {...{ ignored, names, leftOut, unknown, compare }} />
      {hasCompanies ? (
        <QueryView
          query={comparisonResult}
          task="เปรียบเทียบบริษัท"
          staleTitle="อัปเดตการเปรียบเทียบไม่สำเร็จ ที่เห็นคือข้อมูลก่อนหน้า"
          errorReason={reasonOf}
          skeleton={<ComparisonSkeleton />}
          forbidden={
            <Card>
              <EmptyState icon={Lock} title="องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท">
                ติดต่อผู้ดูแลขององค์กรเพื่อเพิ่มในแพ็กเกจ
              </EmptyState>
            </Card>
          }
          isEmpty={() => !canCompare}
          empty={start}
        >
          {(comparison) => (
            <div aria-busy={isOld || undefined} className={classNames('flex flex-col gap-4', isOld && 'opacity-60')}>
              <StatisticsScopeLine scope={comparison.scope} />
              <StatisticsScopePrintHeader search={search} />
              <ComparisonBlocks comparison={comparison} address={address} />
            </div>
          )}
        </QueryView>
      ) : (
        start
      )}
    </div>
  )
}

type CompanyChipsProps = {
  address: Pick<ComparisonUrlState, 'names' | 'search' | 'change' | 'compare'>
  companies: readonly ComparisonCompany[]
  unknown: ReadonlySet<string>
  children?: ReactNode
}

function CompanyChips({ address, companies, unknown, children }: CompanyChipsProps) {
  const { names, search, change, compare } = address
  const add = (company: CompanyRef) => compare([...names, toCompanyParam(company)])
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <ul aria-label="บริษัทที่เปรียบเทียบ" className="contents">
        {names.map((name) => (
          <li key={name} className="min-w-0 max-w-full">
            <CompanyChip
              name={name}
              company={companies.find(({ asked: askedName }) => askedName === name)}
              isUnknown={unknown.has(name)}
              isUs={search.us === name}
              onUs={() => change({ us: search.us === name ? undefined : name })}
              onRemove={() => compare(names.filter((otherName) => otherName !== name))}
            />
          </li>
        ))}
      </ul>
      {names.length < MAX_COMPARED_COMPANIES && <AddCompany chosen={companies} onAdd={add} />}
      {children}
    </div>
  )
}

type CompanyChipProps = {
  name: string
  company: ComparisonCompany | undefined
  isUnknown: boolean
  isUs: boolean
  onUs: () => void
  onRemove: () => void
}

const IN_CHIP = 'inline-flex h-7 min-w-7 shrink-0 items-center justify-center rounded-control touch:h-11 touch:min-w-11'

function CompanyChip({ name, company, isUnknown, isUs, onUs, onRemove }: CompanyChipProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-control border border-line-strong bg-surface-muted py-0.5 pr-1 pl-2.5 touch:py-0">
      <span
        aria-hidden
        className={classNames(
          'mr-1 size-2.5 shrink-0 rounded-full',
          company ? getChartColourClasses(company.tone).background : 'border border-ink-faint',
        )}
      />
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
          onClick={onUs}
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
        onClick={onRemove}
        className={classNames(IN_CHIP, 'text-ink-muted hover:text-ink print:hidden')}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

type AddCompanyProps = { chosen: readonly ComparisonCompany[]; onAdd: (company: CompanyRef) => void }

function AddCompany({ chosen, onAdd }: AddCompanyProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    setTimeout(() => button.current?.focus())
  }
  const opener = (
    <Button ref={button} variant="link" icon={Plus} className="print:hidden" onClick={() => setOpen(true)}>
      เพิ่มบริษัท
    </Button>
  )
  if (!open) return opener
  return (
    <AddComparedCompanyBox
      chosen={chosen.map(({ id }) => id)}
      onAdd={(company) => {
        onAdd(company)
        close()
      }}
      onClose={close}
    />
  )
}
