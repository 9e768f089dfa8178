import { countText } from '#src/lib/figure-text.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import type { QuickFilter } from './report-counters.tsx'

export function FoldedCounters({ filters }: { filters: readonly QuickFilter[] }) {
  return (
    <Menu
      label="ตัวกรองด่วนอื่น"
      trigger={(props) => (
        <Button {...props} size="sm" className="rounded-full!">
          อีก {filters.length}
        </Button>
      )}
    >
      {(close) =>
        filters.map(({ key, th, isOn, count, press }) => (
          <MenuItem
            key={key}
            checked={isOn}
            onSelect={() => {
              close()
              press()
            }}
          >
            {th} {count !== undefined && <b className="font-semibold tabular-nums">{countText(count)}</b>}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
