import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { PreviousNextButtons, type PreviousNextButtonsProps } from './previous-next-buttons.tsx'

type PeekPanelProps = PreviousNextButtonsProps & {
  /** True if the panel covers only the end of the table; otherwise it is a bottom sheet. */
  isSidePanel: boolean
  onClose: () => void
  /** Position in the list, e.g. `4 จาก 630`; undefined for a project that is not on the page. */
  positionText: string | undefined
  projectId: string
  actions: ReactNode
  children: ReactNode
}

const TITLE = 'ดูย่อ'

/**
 * Panel over the end of the table, or over the whole screen on a phone. The table does not move, and next to a table
 * the focus stays in its row.
 */
export function ProjectPeekPanel(props: PeekPanelProps) {
  return props.isSidePanel ? <SidePanel {...props} /> : <Sheet {...props} />
}

function SidePanel({ onClose, projectId, actions, children, ...moves }: PeekPanelProps) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (projectId && content.current) content.current.scrollTop = 0
  }, [projectId])
  return (
    <aside
      tabIndex={-1}
      aria-label="ดูย่อโครงการ"
      data-answers-keys
      className="appear absolute inset-y-0 right-0 z-30 flex w-[400px] max-w-full flex-col rounded-card border border-line-strong bg-surface shadow-float focus-visible:-outline-offset-2 2xl:w-[440px] print:hidden"
    >
      <div className="flex h-11 shrink-0 items-center gap-0.5 border-b border-line pr-2 pl-4">
        <h2 className="font-semibold">{TITLE}</h2>
        <PeekNavigation {...moves} />
        <IconButton icon={X} label="ปิด (Esc)" size="sm" onClick={onClose} />
      </div>
      <section
        ref={content}
        tabIndex={0}
        aria-label="ข้อมูลโครงการ"
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 focus-visible:-outline-offset-2"
      >
        {children}
      </section>
      {actions && <div className="flex shrink-0 items-center gap-1 border-t border-line px-3 py-2">{actions}</div>}
    </aside>
  )
}

function Sheet({ onClose, actions, children, ...moves }: PeekPanelProps) {
  return (
    <Modal open onClose={onClose} variant="sheet" isTall title={TITLE} footer={actions}>
      <div data-answers-keys className="px-4 pt-2 pb-4">
        <div className="-mr-2 flex items-center">
          <PeekNavigation {...moves} />
        </div>
        {children}
      </div>
    </Modal>
  )
}

function PeekNavigation({ positionText, ...moves }: PreviousNextButtonsProps & Pick<PeekPanelProps, 'positionText'>) {
  return (
    <>
      <span className="mr-auto px-2 text-ink-muted tabular-nums max-lg:pl-0">{positionText}</span>
      <PreviousNextButtons {...moves} />
    </>
  )
}
