import { Link } from '@tanstack/react-router'
import { Check, Copy, Scale, Table2 } from 'lucide-react'
import { getCompanyKey } from '#contract/catalogue/company-name.ts'
import type { CompanyDetail } from '#contract/market/company.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { CompanyReportCard } from '#src/account/report-card/company-report-card.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { getCompanyExportFile } from '#src/market/api/company-details.ts'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { FollowButtons } from '#src/report/follow/follow-buttons.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { ExpandableName } from '#src/ui/expandable-name.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { useCopied } from '#src/ui/use-copied.ts'
import { buildCompanyWonProjectsSearch, buildComparisonSearch } from './related-searches.ts'
import { useCompanyUrlState } from './use-company-url-state.ts'

const VISIBLE_ALIASES = 2

/** Company name and actions. The heading element persists while the company loads, because it may have the focus. */
export function CompanyHeader({ detail }: { detail: CompanyDetail | undefined }) {
  const { name } = useCompanyUrlState()
  const company = detail?.company
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-[28rem] max-md:basis-full">
        <h1 className="text-2xl font-semibold [overflow-wrap:anywhere] max-md:text-xl">
          <ExpandableName name={company?.name ?? name} />
        </h1>
        {detail ? (
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted">
            <TaxId taxId={detail.company.tax_id} />
            {detail.company.is_sme === true && <Badge tone="accent">SME</Badge>}
            {detail.company.is_sme === false && <Badge>ไม่ใช่ SME</Badge>}
            {detail.aliases.length > 0 && <Aliases aliases={detail.aliases} />}
            <CompanyReportCard taxId={detail.company.tax_id} name={detail.company.name} />
            <FollowCompany detail={detail} />
          </div>
        ) : (
          <Skeleton className="appear-late mt-2 w-72 max-w-full" />
        )}
      </div>
      {detail && <Actions {...detail} />}
    </header>
  )
}

function FollowCompany({ detail: { company, aliases } }: { detail: CompanyDetail }) {
  const { name, tax_id: taxId } = company
  // The displayed name has a number appended if several companies share it, so follow the company by its name in projects.
  const key = getCompanyKey({ taxId, name: taxId === null ? (aliases[0] ?? name) : name })
  return key === undefined ? null : <FollowButtons targets={[{ kind: 'company', key, name, text: 'บริษัทนี้' }]} />
}

function TaxId({ taxId }: { taxId: string | null }) {
  const [isCopied, copy] = useCopied()
  if (taxId === null) return <span>ไม่ทราบเลขประจำตัวผู้เสียภาษี</span>
  const onFailed = () => showToast({ tone: 'error', text: `คัดลอกไม่ได้ เลขประจำตัวผู้เสียภาษีคือ ${taxId}` })
  return (
    <span className="inline-flex items-center gap-1">
      เลขประจำตัวผู้เสียภาษี <span className="text-sm text-ink tabular-nums">{taxId}</span>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? 'คัดลอกเลขประจำตัวผู้เสียภาษีแล้ว' : 'คัดลอกเลขประจำตัวผู้เสียภาษี'}
        size="sm"
        onClick={() => void copy(taxId).catch(onFailed)}
        className="-my-1 print:hidden"
        iconClassName={classNames('size-3.5', isCopied && 'text-new')}
      />
    </span>
  )
}

function Aliases({ aliases }: { aliases: readonly string[] }) {
  const { visibleItems, moreButton } = useCollapsedList(aliases, 'ชื่อ', VISIBLE_ALIASES)
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      พบในชื่ออื่น: {visibleItems.map(truncateName).join(' · ')} {moreButton}
    </span>
  )
}

function Actions({ company, aliases }: CompanyDetail) {
  const { search } = useCompanyUrlState()
  const { is_access_company_comparison: mayCompare } = useOrganisation()
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:w-full print:hidden">
      <FileDownloadButtons
        file={getCompanyExportFile(company.name, { ...search, ...buildCompanyTaxIdParam(company) })}
      />
      <div className="flex items-center gap-2 max-md:w-full">
        <Link
          to="/report"
          search={buildCompanyWonProjectsSearch(company.name, aliases)}
          title="โครงการที่บริษัทนี้ชนะและอยู่ในรายงานขององค์กร"
          className={getButtonClasses('secondary', 'md', 'max-md:flex-1')}
        >
          <Table2 aria-hidden className="size-4 shrink-0" />
          ดูในรายงาน
        </Link>
        {mayCompare && (
          <Link
            to="/company-comparison"
            search={buildComparisonSearch([company], search)}
            className={getButtonClasses('primary', 'md', 'max-md:flex-1')}
          >
            <Scale aria-hidden className="size-4 shrink-0" />
            เปรียบเทียบ
          </Link>
        )}
      </div>
    </div>
  )
}
