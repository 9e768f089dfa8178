import { Fact } from '#src/ui/fact.tsx'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { CompanyProject } from '#contract/market/company.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { MoneyText } from '#src/report/project-row/money-texts.tsx'
import { Card } from '#src/ui/card.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { CompanyProjectDiscount, CompanyProjectPrice, CompanyProjectResult } from './company-project-columns.tsx'
import { CompanyProjectName } from './company-project-name.tsx'

export function CompanyProjectCards({ projects }: { projects: readonly CompanyProject[] }) {
  return (
    <ul aria-label="โครงการของบริษัท" className="flex flex-col gap-3">
      {projects.map((project) => (
        <Card key={project.project_id} as="li" className="p-4">
          <p className="font-medium">
            <CompanyProjectName project={project} />
          </p>
          <p className="text-sm text-ink-muted">
            {joinParts(project.dept_sub_name || project.dept_name, project.project_province)}
            {!project.in_report && ' · ไม่อยู่ในรายงานขององค์กร'}
          </p>
          <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1.5 tabular-nums">
            <Fact name="ผล">
              <CompanyProjectResult project={project} />
            </Fact>
            <Fact name="วันตัดสิน">{formatOrUnknown(project.decided_date, formatThaiDate)}</Fact>
            <Fact name="มูลค่าที่ชนะ (บาท)">
              <CompanyProjectPrice project={project} />
            </Fact>
            <Fact name="ราคากลาง (บาท)">
              <MoneyText baht={project.estimate_budget} />
            </Fact>
            <Fact name="ส่วนลด">
              <CompanyProjectDiscount project={project} />
            </Fact>
            <Fact name="วิธีจัดหา">{getChoiceLabel(PROCUREMENT_METHODS, project.method)}</Fact>
          </dl>
        </Card>
      ))}
    </ul>
  )
}
