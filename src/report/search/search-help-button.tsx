import { CircleHelp } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { SearchHelp } from './search-help.tsx'

export function SearchHelpButton() {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        ref={button}
        icon={CircleHelp}
        label="วิธีค้นหา"
        size="sm"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label="วิธีค้นหา"
        focus="panel"
        className="w-[26rem] p-4"
      >
        <SearchHelp />
      </Popover>
    </>
  )
}
