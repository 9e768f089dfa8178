import { type CustomerConfig, getBudgetSliderMaxima, type Organisation } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { PROVINCES, REGIONS } from '#contract/thai/province.ts'
import { DepartmentPicker } from '#src/catalogue/departments/department-picker.tsx'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import { Chip } from '#src/ui/chip.tsx'
import type { WatchListSetupStepProps } from './watch-list-setup-draft.ts'
import { computeRemainingListLimits } from './watch-list-setup-keywords.ts'

type StepDepartmentsProps = WatchListSetupStepProps & {
  onTicked: (names: readonly string[]) => void
}

export function DepartmentsSetupStep({ draft, organisation, onChange, onTicked }: StepDepartmentsProps) {
  const { departments } = draft
  const stored = organisation.deptsub_include
  const watched = new Set([...departments, ...stored.map(({ word }) => word)].map(toKeywordKey))
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section aria-label="หน่วยงานที่ติดตาม" className="rounded-card border border-line bg-surface p-3 sm:p-4">
        <h2 className="font-semibold">ติดตามทุกโครงการของหน่วยงาน</h2>
        <p className="mb-2 text-ink-muted">ไม่บังคับ ใช้กับหน่วยงานที่อยากเห็นทุกงาน ไม่ว่าชื่อโครงการจะมีคำที่เลือกหรือไม่</p>
        {departments.length > 0 && (
          <ul aria-label="หน่วยงานที่เลือกไว้" className="mb-2 flex flex-wrap gap-1.5">
            {departments.map((name) => (
              <li key={name} className="max-w-full">
                <Chip
                  removeLabel={`เอา ${name} ออก`}
                  onRemove={() =>
                    onChange({ ...draft, departments: departments.filter((department) => department !== name) })
                  }
                >
                  {name}
                </Chip>
              </li>
            ))}
          </ul>
        )}
        <DepartmentPicker
          watched={watched}
          remaining={computeRemainingListLimits(draft, organisation).deptsub_include}
          onTicked={onTicked}
          onAdd={(words) => onChange({ ...draft, departments: [...departments, ...words] })}
        />
      </section>
      <PackageFacts organisation={organisation} />
    </div>
  )
}

function PackageFacts({ organisation }: { organisation: Organisation }) {
  const { areasWithProvinces: areas, customer_config: config } = organisation
  const all = Object.values(areas).flat().length >= PROVINCES.length
  const regions = REGIONS.filter(({ code }) => (areas[code]?.length ?? 0) > 0)
  return (
    <section aria-label="ขอบเขตตามแพ็กเกจ" className="rounded-card border border-line bg-surface p-3 sm:p-4">
      <h2 className="font-semibold">ขอบเขตตามแพ็กเกจ</h2>
      <p className="mb-2 text-xs text-ink-faint">{organisation.customer_use_package} ติดต่อทีมงานถ้าต้องการเปลี่ยน</p>
      <dl className="space-y-2">
        <div>
          <dt className="text-ink-muted">วงเงินโครงการ</dt>
          <dd className="font-medium">{budgetRange(config)}</dd>
        </div>
        <div>
          <dt className="text-ink-muted">พื้นที่</dt>
          <dd className="font-medium">
            {all ? 'ทุกจังหวัดทั่วประเทศ' : regions.map(({ code, th }) => `${th} (${areas[code]!.join(', ')})`).join(' · ')}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function budgetRange({ min_project_budget, max_project_budget }: CustomerConfig): string {
  const baht = (text: string) => Number.parseInt(text, 10) || 0
  const [min, max] = [baht(min_project_budget), baht(max_project_budget)]
  if (min === 0 && max === 0) return 'ทุกวงเงิน'
  const top = max > 0 ? Math.min(max, getBudgetSliderMaxima(max_project_budget).budget) : null
  return `${moneyRangeText({ min: min > 0 ? min : null, max: top })} บาท`
}
