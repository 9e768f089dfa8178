import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isBudgetInDoubt, isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import {
  DOCUMENT_FACT_SOURCE,
  getDataSourceShortName,
  type ProjectFactSource,
} from '#contract/catalogue/fact-source.ts'
import { getProjectFact, type ReportFactName } from '#contract/catalogue/project-facts.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { formatThaiDateShortOrOriginal, getBangkokToday } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { ProjectChangeStatusLabel, ProjectStatusBadge } from '#src/report/project-row/change-status-badge.tsx'
import { DataIssueMark } from '#src/report/project-row/data-issues-button.tsx'
import { ContractEndDate } from '#src/report/project-row/deadline-text.tsx'
import { FactText, listPlainFacts } from '#src/report/project-row/fact-text.tsx'
import { EstimateMoneyText, MoneyText, WinnerMoneyText } from '#src/report/project-row/money-texts.tsx'
import { ProjectMovementStatus } from '#src/report/project-row/movement-chip.tsx'
import { ProjectFileLink } from '#src/report/project-row/project-file-list.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { WinnerNames } from '#src/report/project-row/winner-names.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, type FactProps } from '#src/ui/fact.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { TextButton } from '#src/ui/text-button.tsx'

const MAX_FILES = 2

type FactsCardProps = { detail: ProjectDetail; onFiles: () => void }

export function ProjectFactsCard({ detail, onFiles }: FactsCardProps) {
  return (
    <Card
      as="section"
      aria-label="ข้อมูลโครงการ"
      className="px-5 pt-4 pb-5 print:grid print:grid-cols-4 print:gap-x-5 print:py-3"
    >
      <h2 className="col-span-full text-md font-semibold">ข้อมูลโครงการ</h2>
      <DeadlineFacts detail={detail} />
      <MoneyFacts detail={detail} />
      <MethodFacts detail={detail} />
      <LocationFacts detail={detail} />
      <OtherFacts detail={detail} onFiles={onFiles} />
      <DoubtFacts detail={detail} />
    </Card>
  )
}

type DetailProps = { detail: ProjectDetail }

/** Renders nothing unless a document supplied or contradicts the date, because the clock and the stages show it. */
function DeadlineFacts({ detail: { row, fact_sources, deadline_conflict: conflict } }: DetailProps) {
  const source = fact_sources.find(({ fact }) => fact === 'submission_end_date')?.source
  if (row.submission_end_date === null || (source !== DOCUMENT_FACT_SOURCE && !conflict)) return null
  return (
    <Group title="วันยื่นข้อเสนอ">
      <CardFact name="วันยื่นข้อเสนอ" strong wide>
        {formatThaiDateShortOrOriginal(row.submission_end_date)}
        <SourceLine fact="submission_end_date" sources={fact_sources} />
        {conflict && (
          <span className="mt-1.5 flex items-start gap-2 rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-sm font-normal">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-updated" />
            <span>
              e-GP ระบุ {formatThaiDateShortOrOriginal(row.submission_end_date)} แต่เอกสาร “{conflict.document}” หน้า{' '}
              {conflict.page} ระบุ {formatThaiDateShortOrOriginal(conflict.date)} ตรวจสอบกับหน่วยงานก่อนยื่น
            </span>
          </span>
        )}
      </CardFact>
    </Group>
  )
}

function MoneyFacts({ detail }: DetailProps) {
  const { row } = detail
  return (
    <Group title="เงิน">
      <FactLine fact="budget" detail={detail} strong={row.budget !== null}>
        {isBudgetInDoubt(row) ? (
          'งบประมาณน่าสงสัย'
        ) : row.budget === null ? (
          'หน่วยงานไม่ได้ประกาศ'
        ) : (
          <Baht>
            <MoneyText baht={row.budget} />
          </Baht>
        )}
      </FactLine>
      <FactLine fact="estimate_budget" detail={detail} strong={row.estimate_budget !== null}>
        {isEstimateInDoubt(row) ? (
          'ราคากลางน่าสงสัย'
        ) : row.estimate_budget === null ? (
          'ยังไม่ประกาศราคากลาง'
        ) : (
          <Baht>
            <EstimateMoneyText row={row} />
          </Baht>
        )}
      </FactLine>
      {row.winner_budget !== null && (
        <FactLine fact="winner_budget" detail={detail} strong>
          <Baht>
            <WinnerMoneyText row={row} />
          </Baht>
        </FactLine>
      )}
      {row.winner_name !== null && (
        <FactLine fact="winner_name" detail={detail} wide>
          <WinnerNames row={row} />
        </FactLine>
      )}
      {row.contract_ends && (
        <CardFact name="สัญญาสิ้นสุด">
          <ContractEndDate endDates={row.contract_ends} today={getBangkokToday(getServerTime())} />
        </CardFact>
      )}
    </Group>
  )
}

function MethodFacts({ detail }: DetailProps) {
  const { row } = detail
  return (
    <Group title="วิธีซื้อ">
      <FactLine fact="method" detail={detail} />
      <FactLine fact="method_type" detail={detail} />
      {row.criteria !== 'no_data' && <FactLine fact="criteria" detail={detail} />}
      {row.is_sme && (
        <FactLine fact="is_sme" detail={detail}>
          เปิดสิทธิ SME
        </FactLine>
      )}
      <FactLine fact="movement" detail={detail}>
        <ProjectMovementStatus movement={row.movement} />
      </FactLine>
      <FactLine fact="status" detail={detail}>
        <span className="flex flex-wrap gap-1">
          <ProjectStatusBadge status={row.status} />
          <ProjectChangeStatusLabel status={row.change_status} />
        </span>
      </FactLine>
    </Group>
  )
}

function LocationFacts({ detail }: DetailProps) {
  const { row, district, subdistrict } = detail
  const { deptWords } = useProjectRowDisplayData()
  const within = [subdistrict && `ต.${subdistrict}`, district && `อ.${district}`].filter(Boolean).join(' ')
  const ofUnit = joinParts(row.dept_province, row.dept_region)
  const ofProject = joinParts(row.project_province, row.project_region)
  const hasParent = row.dept_name !== '' && row.dept_name !== row.dept_sub_name
  return (
    <Group title="หน่วยงานและสถานที่">
      <FactLine fact="dept_sub_name" detail={detail}>
        <AgencyLink
          name={row.dept_name || row.dept_sub_name}
          province={row.dept_province}
          unit={hasParent ? row.dept_sub_name || undefined : undefined}
        >
          <HighlightedText text={row.dept_sub_name} words={deptWords} />
        </AgencyLink>
        {hasParent && (
          <span className="block text-xs text-ink-muted">
            <AgencyLink name={row.dept_name} province={row.dept_province}>
              <HighlightedText text={row.dept_name} words={deptWords} />
            </AgencyLink>
          </span>
        )}
      </FactLine>
      {ofUnit && <CardFact name="จังหวัดและภาคของหน่วยงาน">{ofUnit}</CardFact>}
      {(ofProject || within) && (
        <CardFact name="จังหวัดและภาคของโครงการ">
          {ofProject}
          {within && <span className="block text-xs text-ink-muted">{within}</span>}
        </CardFact>
      )}
    </Group>
  )
}

function OtherFacts({ detail, onFiles }: FactsCardProps) {
  const { row, fiscal_year, attachments } = detail
  const latest = attachments.toSorted((a, b) => ((a.published_date ?? '') < (b.published_date ?? '') ? 1 : -1))
  return (
    <Group title="อื่นๆ">
      <CardFact name="เลขที่โครงการ">
        <ProjectId id={row.project_id} />
      </CardFact>
      {fiscal_year !== null && <CardFact name="ปีงบประมาณ">{fiscal_year}</CardFact>}
      <CardFact name={attachments.length === 0 ? 'เอกสารแนบ' : `เอกสารแนบ ${attachments.length} ไฟล์`} wide>
        {attachments.length === 0 && 'ยังไม่มีในข้อมูลที่ได้รับ'}
        <span className="-mx-3 block [&_a]:rounded-control [&_a]:py-0.5 [&_a]:text-accent-ink">
          {latest.slice(0, MAX_FILES).map((file) => (
            <ProjectFileLink key={file.url} file={file} />
          ))}
        </span>
        {attachments.length > MAX_FILES && (
          <TextButton onClick={onFiles} className="text-sm print:hidden">
            ดูเอกสารทั้งหมด
          </TextButton>
        )}
      </CardFact>
      {listPlainFacts(row).map((fact) => (
        <FactLine key={fact} fact={fact} detail={detail} wide={getProjectFact(fact).type === 'text'} />
      ))}
    </Group>
  )
}

function DoubtFacts({ detail: { row } }: DetailProps) {
  if (!row.doubts) return null
  return (
    <Group title="ข้อสังเกตของข้อมูล">
      {row.doubts.map((doubt) => (
        <CardFact key={`${doubt.kind} ${doubt.field} ${doubt.value}`} name={`${doubt.field} (ตามต้นทาง)`}>
          {doubt.value}
          <DataIssueMark doubt={doubt} />
        </CardFact>
      ))}
    </Group>
  )
}

type FactLineProps = Omit<CardFactProps, 'name' | 'children'> &
  DetailProps & { fact: ReportFactName; children?: ReactNode }

function FactLine({ fact, detail: { row, fact_sources }, children, ...props }: FactLineProps) {
  return (
    <CardFact name={getProjectFact(fact).th} {...props}>
      {children ?? <FactText name={fact} row={row} />}
      <SourceLine fact={fact} sources={fact_sources} />
    </CardFact>
  )
}

function SourceLine({ fact, sources }: { fact: ReportFactName; sources: readonly ProjectFactSource[] }) {
  const factSource = sources.find((source) => source.fact === fact)
  const name = factSource && getDataSourceShortName(factSource.source)
  if (!name) return null
  return (
    <span className="block text-xs font-normal text-ink-faint">
      {factSource.page === undefined ? `จาก ${name} ` : `จาก${name} หน้า ${factSource.page} · `}
      {formatThaiDateShortOrOriginal(getBangkokToday(new Date(factSource.seen_at)))}
    </span>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="first-of-type:mt-2 print:contents">
      <h3 className="sr-only">{title}</h3>
      <dl className="grid grid-cols-2 gap-x-5 tabular-nums md:grid-cols-3 print:contents">{children}</dl>
    </section>
  )
}

type CardFactProps = FactProps & { wide?: boolean }

const CardFact = ({ wide = false, ...props }: CardFactProps) => (
  <Fact
    {...props}
    className={classNames(
      'border-t border-line pt-2 pb-2.5 [overflow-wrap:anywhere] print:py-1',
      wide && 'col-span-full',
    )}
  />
)

function Baht({ children }: { children: ReactNode }) {
  return (
    <span className="inline-grid grid-cols-[auto_1fr] gap-x-1 [overflow-wrap:normal] [&>.text-xs]:col-span-2 [&>.text-xs]:row-start-2">
      {children}
      <span className="text-base font-normal text-ink-muted">บาท</span>
    </span>
  )
}
