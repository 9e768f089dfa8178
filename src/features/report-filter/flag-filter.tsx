import type { ReportParamNameOf } from '#contract/report-params.ts'
import { countText } from '#src/lib/money-text.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import type { FilterContext } from './filter-context.ts'

type FlagFilterProps = { name: ReportParamNameOf<'flag'>; text: string; context: FilterContext }

/** A filter that is either on or not there. */
export function FlagFilter({ name, text, context: { search, change, facets } }: FlagFilterProps) {
  const count = facets?.options[name]?.find(({ value }) => value === 'true')?.count ?? 0
  return (
    <Checkbox
      checked={search[name] === true}
      onChange={(on) => change({ [name]: on ? true : undefined })}
      trailing={facets ? countText(count) : ''}
    >
      {text}
    </Checkbox>
  )
}
