import { ChevronDown } from 'lucide-react'
import { buildSavedFilterSearch } from '#contract/report/saved-filter-search.ts'
import { clearReportFilters } from '#src/lib/bid-segment.ts'
import { toReportUrlSearch } from '#src/lib/report-url.ts'
import { type SavedFilterContext, toAllStarredSearch } from '#src/report/saved-filters/saved-filter-context.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'

export function SavedViewsMenu({ context }: { context: SavedFilterContext }) {
  const { allFilters, search, view, open } = context
  const views: { key: string; name: string; isOn: boolean; show: () => void }[] = [
    { key: 'all', name: 'ทุกงาน', isOn: view.tab === 'all', show: () => open(clearReportFilters(search)) },
    ...allFilters.map((filter) => ({
      key: `${filter.owner} ${filter.id}`,
      name: filter.owner_name ? `${filter.filterName} (ทีม: ${filter.owner_name})` : filter.filterName,
      isOn: view.filter?.id === filter.id,
      show: () => open(toReportUrlSearch(buildSavedFilterSearch(filter, search))),
    })),
    {
      key: 'starred',
      name: 'โครงการติดดาว',
      isOn: view.tab === 'starred',
      show: () => open(toAllStarredSearch(search)),
    },
  ]
  return (
    <Menu
      label="ตัวกรองที่บันทึก"
      gap={2}
      className="max-h-[60dvh] max-w-[calc(100vw-32px)] min-w-56 overflow-y-auto"
      trigger={(props) => (
        <IconButton {...props} icon={ChevronDown} label="เปิดตัวกรองที่บันทึก" className="-ml-2" iconClassName="size-5" />
      )}
    >
      {views.map(({ key, name, isOn, show }) => (
        <MenuItem key={key} checked={isOn} onSelect={show}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
