import { getProjectFact } from '#contract/catalogue/project-facts.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import { getAttachmentCount, type ReportRow } from '#contract/report/report.ts'
import { formatMovementDay } from '#contract/thai/thai-date.ts'
import { AddExclusionButton } from '#src/report/add-exclusion/add-exclusion-button.tsx'
import { AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { EligibilityLine } from '#src/report/eligibility/eligibility-mark.tsx'
import { FitLine } from '#src/report/fit/fit-mark.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { LabelChips } from '#src/ui/project/label-chip.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { ProjectChangeStatusLabel, ProjectStatusBadge } from './change-status-badge.tsx'
import { ChangedValue } from './changed-value.tsx'
import { ContractEndDate, RowDeadline } from './deadline-text.tsx'
import { FactText, FromDocumentBadge, listPlainFacts } from './fact-text.tsx'
import { MatchReasons } from './match-reasons.tsx'
import { BudgetMoneyText, EstimateMoneyText, WinnerMoneyText } from './money-texts.tsx'
import { ProjectMovementStatus } from './movement-chip.tsx'
import { ProjectFileList } from './project-file-list.tsx'
import { getNameHighlights, useProjectRowDisplayData } from './project-row-display-data.ts'
import { WinnerNames } from './winner-names.tsx'

export function ProjectFacts({ row }: { row: ReportRow }) {
  const { today, nameWords, deptWords, labelsOf } = useProjectRowDisplayData()
  const labels = labelsOf(row.project_id)
  const parent = row.dept_name === '' || row.dept_name === row.dept_sub_name ? undefined : row.dept_name
  const unit = <HighlightedText text={row.dept_sub_name} words={deptWords} />
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <ProjectChangeStatusLabel status={row.change_status} />
        <ProjectStatusBadge status={row.status} />
        {row.is_sme && <Badge tone="accent">เปิดสิทธิ SME</Badge>}
        <ProjectId id={row.project_id} className="ml-auto text-ink-muted" />
      </div>
      <h3 className="mt-1.5 text-md font-semibold">
        <HighlightedText text={row.name} {...getNameHighlights(row, nameWords)} />
      </h3>
      <p className="mt-0.5 text-ink-muted">
        {parent ? (
          <>
            {unit}
            {' · '}
            <AgencyLink name={parent} province={row.dept_province}>
              <HighlightedText text={parent} words={deptWords} />
            </AgencyLink>
          </>
        ) : (
          <AgencyLink name={row.dept_name || row.dept_sub_name} province={row.dept_province}>
            {unit}
          </AgencyLink>
        )}
        {' · '}
        {row.project_province ?? row.dept_province ?? 'ไม่มีข้อมูลจังหวัด'}
      </p>
      <FitLine row={row} />
      <EligibilityLine row={row} />
      <LabelChips labels={labels} className="mt-1.5 gap-1.5" />
      {row.changes.length > 0 && (
        <section
          aria-label="สิ่งที่เปลี่ยน"
          className="mt-2.5 rounded-control border border-updated-line bg-updated-soft px-2.5 py-1.5 text-sm"
        >
          <dl>
            {row.changes.map((change) => {
              const words = formatFieldChange(change)
              return (
                <div key={change.field}>
                  <dt className="inline text-ink-muted">{words.field} </dt>
                  <dd className="inline">
                    <ChangedValue words={words} showsOld={change.old !== null} />
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      )}
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2.5 border-t border-line pt-2.5 tabular-nums">
        <Fact name="งบประมาณ" strong>
          <BudgetMoneyText row={row} />
          <FromDocumentBadge row={row} field="budget" />
        </Fact>
        <Fact name="ราคากลาง" strong>
          <EstimateMoneyText row={row} />
          <FromDocumentBadge row={row} field="estimate_budget" />
        </Fact>
        <Fact name="วันสิ้นสุดยื่นข้อเสนอ">
          <RowDeadline row={row} day={row.submission_end_date} />
          {row.submission_time && <span className="block text-xs text-ink-muted">เวลา {row.submission_time} น.</span>}
          <FromDocumentBadge row={row} field="submission_end_date" />
        </Fact>
        <Fact name="สิ้นสุดวิจารณ์ร่าง">
          <RowDeadline row={row} day={row.draft_discussion_end_date} />
          <FromDocumentBadge row={row} field="draft_discussion_end_date" />
        </Fact>
        <Fact name="ความเคลื่อนไหว">
          <ProjectMovementStatus movement={row.movement} />
          {row.movement_date && (
            <span className="block text-xs text-ink-faint">
              {formatMovementDay(row.movement_date, row.is_movement_undated)}
              {row.is_movement_undated && (
                <span className="block text-updated">ต้นทางไม่ได้บอกวันที่ วันนี้คือวันที่ช้าที่สุดที่เป็นได้</span>
              )}
            </span>
          )}
        </Fact>
        <Fact name="วิธีจัดหา">
          <FactText name="method" row={row} />
          <span className="block text-xs text-ink-muted">
            <FactText name="method_type" row={row} />
          </span>
        </Fact>
        <Fact name="เกณฑ์การพิจารณา">
          <FactText name="criteria" row={row} />
        </Fact>
        <Fact name="ตรงเงื่อนไขเพราะ" className="col-span-2">
          <MatchReasons row={row} />
          <AddExclusionButton row={row} />
        </Fact>
        {row.winner_name && (
          <>
            <Fact name="ผู้ชนะ">
              <WinnerNames row={row} />
            </Fact>
            <Fact name="ราคาที่ชนะ" strong>
              <WinnerMoneyText row={row} />
            </Fact>
          </>
        )}
        {row.contract_ends && (
          <Fact name="สัญญาสิ้นสุด">
            <ContractEndDate endDates={row.contract_ends} today={today} />
          </Fact>
        )}
        {listPlainFacts(row).map((fact) => (
          <Fact
            key={fact}
            name={getProjectFact(fact).th}
            className={getProjectFact(fact).type === 'text' ? 'col-span-2' : ''}
          >
            <FactText name={fact} row={row} />
          </Fact>
        ))}
        <Fact name="เอกสารแนบ" className="col-span-2">
          {getAttachmentCount(row) === 0 ? (
            <UnknownValue />
          ) : (
            <div className="-mx-3 -my-1">
              <ProjectFileList row={row} />
            </div>
          )}
        </Fact>
      </dl>
    </article>
  )
}
