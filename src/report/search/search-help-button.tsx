import { CircleHelp } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { SearchHelp } from './search-help.tsx'

export function SearchHelpButton() {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <>
      <IconButton {...buttonProps} icon={CircleHelp} label="วิธีค้นหา" size="sm" />
      <Popover {...popoverProps} label="วิธีค้นหา" focus="panel" className="w-[26rem] p-4">
        <SearchHelp />
      </Popover>
    </>
  )
}
