import { EyeOff, type LucideIcon, Star, StarOff, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

type BulkBarProps = {
  count: number
  total: number
  isWholePage: boolean
  onSelectAll: () => void
  selectingAll: boolean
  starred: number
  onStar: (on: boolean) => void
  onHide: (on: boolean) => void
  /** True if the result lists hidden projects: the button then unhides them. */
  showsHidden: boolean
  onClear: () => void
  children: ReactNode
}

/** Takes up layout space, so that it covers neither the last row nor the focused element. */
export function BulkActionsBar(props: BulkBarProps) {
  const { count, total, isWholePage, starred } = props
  const firstButton = useRef<HTMLButtonElement>(null)
  return (
    <section
      ref={reserveBulkBarSpace}
      aria-label="ทำกับโครงการที่เลือก"
      data-bulk-bar
      className="appear sticky bottom-[max(0.5rem,env(safe-area-inset-bottom),calc(var(--bottom-bar,0px)+0.5rem))] z-20 rounded-card border border-accent-line bg-accent-soft shadow-float print:hidden"
    >
      <VisuallyHidden live>{`เลือก ${formatCount(count)} โครงการ`}</VisuallyHidden>
      {isWholePage && count < total && <SelectAll {...props} />}
      <div className="flex items-center gap-x-1 gap-y-1 px-2 py-1.5 md:gap-x-2 md:px-3">
        <p className="mr-auto font-medium whitespace-nowrap text-accent-ink">
          <span className="max-sm:sr-only">เลือก </span>
          <span className="tabular-nums">{formatCount(count)}</span>
          <span> โครงการ</span>
        </p>
        <div className="flex min-w-0 items-center gap-1 overflow-x-auto [scrollbar-width:none] md:gap-2">
          <BulkAction
            ref={firstButton}
            icon={starred < count ? Star : StarOff}
            onClick={() => props.onStar(starred < count)}
          >
            {starred < count ? 'ติดดาว' : 'เอาดาวออก'}
          </BulkAction>
          {starred > 0 && starred < count && (
            <BulkAction
              icon={StarOff}
              onClick={() => {
                props.onStar(false)
                // This button unmounts when no selected project is starred any more, so move the focus.
                firstButton.current?.focus()
              }}
            >
              เอาดาวออก
            </BulkAction>
          )}
          {props.children}
          <BulkAction icon={EyeOff} onClick={() => props.onHide(!props.showsHidden)}>
            {props.showsHidden ? 'เลิกซ่อน' : 'ซ่อน'}
          </BulkAction>
        </div>
        <IconButton icon={X} label="ยกเลิกการเลือก (Esc)" onClick={props.onClear} className="ml-1" />
      </div>
    </section>
  )
}

/**
 * While mounted, raises toasts above the bar (`--toast-lift`). On a phone, where the bar is sticky, focused elements
 * are scrolled clear of it.
 */
function reserveBulkBarSpace(bar: HTMLElement) {
  const { style } = document.documentElement
  const measure = () => {
    const lift = `${Math.max(0, Math.round(window.innerHeight - bar.getBoundingClientRect().top))}px`
    style.setProperty('--toast-lift', lift)
    style.scrollPaddingBottom = lift
  }
  const observer = new ResizeObserver(measure)
  observer.observe(bar)
  measure()
  window.addEventListener('resize', measure)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', measure)
    style.removeProperty('--toast-lift')
    style.scrollPaddingBottom = ''
  }
}

type BulkActionProps = ComponentProps<typeof Button> & { icon: LucideIcon; children: string }

/** Button of the bar, on a phone only an icon. */
export function BulkAction({ icon: Icon, children, ...rest }: BulkActionProps) {
  return (
    <Button size="sm" title={children} {...rest}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">{children}</span>
    </Button>
  )
}

function SelectAll({ count, total, onSelectAll, selectingAll }: BulkBarProps) {
  const reachable = Math.min(total, MAX_PROJECTS_PER_ACTION)
  if (count >= reachable) {
    return (
      <p className="border-b border-accent-line px-3 py-1.5 text-sm text-ink-muted">
        ทำได้ครั้งละไม่เกิน {formatCount(MAX_PROJECTS_PER_ACTION)} โครงการ จากผลลัพธ์ {formatCount(total)} โครงการ
      </p>
    )
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-b border-accent-line px-3 py-1 text-sm text-ink-muted">
      เลือกครบทั้งหน้าแล้ว
      <Button variant="link" size="sm" pending={selectingAll} onClick={onSelectAll}>
        {total > reachable
          ? `เลือก ${formatCount(reachable)} โครงการแรก จาก ${formatCount(total)} ในผลลัพธ์`
          : `เลือกทั้งหมด ${formatCount(total)} โครงการในผลลัพธ์`}
      </Button>
    </p>
  )
}
