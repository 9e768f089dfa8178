import { formatCount } from '#contract/thai/thai-number.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'

export type ReportQuickFilter = {
  readonly key: string
  readonly th: string
  readonly hint: string | undefined
  readonly dot: string | undefined
  readonly isOn: boolean
  readonly count: number | undefined
  readonly press: () => void
}

export function CollapsedReportCounters({ filters }: { filters: readonly ReportQuickFilter[] }) {
  return (
    <Menu
      label="ตัวกรองด่วนอื่น"
      trigger={(props) => (
        <Button {...props} size="sm" className="rounded-full!">
          อีก {filters.length}
        </Button>
      )}
    >
      {filters.map(({ key, th, isOn, count, press }) => (
        <MenuItem key={key} checked={isOn} onSelect={press}>
          {th} {count !== undefined && <b className="font-semibold tabular-nums">{formatCount(count)}</b>}
        </MenuItem>
      ))}
    </Menu>
  )
}
