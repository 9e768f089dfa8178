import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { FilterContext } from './filter-context.ts'
import { type CountedListParamName, ListFilter } from './list-filter.tsx'

export function TeamFilter({ name, context }: { name: CountedListParamName; context: FilterContext }) {
  const { data: team, error, refetch, isFetching } = usePursuitSettings(true)
  if (team) return <ListFilter name={name} context={context} team={team} />
  if (!error) {
    return (
      <SkeletonGroup label="กำลังโหลดรายชื่อของทีม" className="flex flex-col gap-2" bars={['h-6', 'h-6', 'h-6 w-2/3']} />
    )
  }
  return (
    <p role="alert" className="text-sm text-ink-muted">
      โหลดรายชื่อของทีมไม่สำเร็จ {getErrorText(error)}{' '}
      <button
        type="button"
        disabled={isFetching}
        onClick={() => void refetch()}
        className="min-h-6 rounded-control text-accent-ink hover:underline touch:min-h-11"
      >
        ลองอีกครั้ง
      </button>
    </p>
  )
}
