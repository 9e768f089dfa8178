import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type ChartTargetProps = {
  onOpen?: (() => void) | undefined
  href?: string | undefined
  title?: string
  className: string
  hoverClassName?: string
  children: ReactNode
}

/** The row or tile of a chart: a link or a button that opens the data behind it, or neither. */
export function ChartTarget({
  onOpen,
  href,
  title,
  className,
  hoverClassName = 'hover:bg-surface-muted',
  children,
}: ChartTargetProps) {
  if (href === undefined && !onOpen) return <div className={className}>{children}</div>
  const props = { title, className: classNames(className, hoverClassName), children }
  return href === undefined ? <button type="button" onClick={onOpen} {...props} /> : <a href={href} {...props} />
}

/** Props of an SVG mark: a button if it opens the data behind it, else an image. */
export function getChartMarkProps(onOpen: (() => void) | undefined) {
  if (!onOpen) return { role: 'img' }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onOpen()
  }
  return { role: 'button', onClick: onOpen, onKeyDown }
}
