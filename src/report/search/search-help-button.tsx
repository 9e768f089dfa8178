import { CircleHelp } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

const SearchHelp = lazyComponent(() => import('./search-help.tsx'), 'SearchHelp')

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
        <LazyBoundary fallback={<Spinner label="กำลังโหลด" />}>
          <SearchHelp />
        </LazyBoundary>
      </Popover>
    </>
  )
}
