import type { ListParam } from '#contract/list-choices.ts'
import { type ReportParamName, reportParam } from '#contract/report-params.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { DateFilter } from './date-filter.tsx'
import type { DateParam } from './date-presets.ts'
import type { FilterContext } from './filter-context.ts'
import { FlagFilter } from './flag-filter.tsx'
import { ListFilter } from './list-filter.tsx'
import { MoneyFilter } from './money-filter.tsx'
import { chosenIn, PANEL_SECTIONS } from './panel-sections.ts'
import { ProvinceFilter } from './province-filter.tsx'
import { useOpenSections } from './use-open-sections.ts'

/** Every filter of the report with its counts, in sections that open and close. */
export function FilterPanel({ context }: { context: FilterContext }) {
  const [open, setOpen] = useOpenSections()
  return PANEL_SECTIONS.map((section) => {
    const chosen = chosenIn(section, context.search)
    return (
      <Collapsible
        key={section.id}
        title={section.title}
        badge={chosen > 0 && <CountBadge count={chosen} label="ค่าที่เลือก" />}
        open={open.has(section.id)}
        onOpenChange={(isOpen) => setOpen(section.id, isOpen)}
      >
        {section.names.map((name) => (
          <Filter key={name} name={name} context={context} />
        ))}
      </Collapsible>
    )
  })
}

const FLAG_TEXTS: Partial<Record<ReportParamName, string>> = {
  project_bookmark: 'เฉพาะโครงการติดดาว',
  check_sme: 'เฉพาะโครงการที่เปิดสิทธิ SME',
}

/** The control of one filter, chosen by the kind of its parameter. */
function Filter({ name, context }: { name: ReportParamName; context: FilterContext }) {
  if (name === 'project_province__in' || name === 'project_province_dept_sub__in') {
    return <ProvinceFilter name={name} context={context} />
  }
  switch (reportParam(name).kind) {
    case 'list':
      return <ListFilter name={name as ListParam} context={context} />
    case 'money':
      return <MoneyFilter name={name as 'project_budget__range'} context={context} />
    case 'dates':
      return <DateFilter name={name as DateParam} context={context} />
    case 'flag':
      return <FlagFilter name={name as 'check_sme'} text={FLAG_TEXTS[name] ?? reportParam(name).th} context={context} />
    default:
      return null
  }
}
